// Copies of a run altered as a disk, an editor or a careless hand would do it:
// nothing is made consistent afterwards.

import type { JsonObject } from "../lib/agent/json.ts";
import { canonicalJson } from "../lib/evidence/audit_record.ts";
import type { RunFiles } from "./memory_files.ts";
import {
  alteredFields,
  joinLines,
  linesOf,
  type Mutant,
  withFile,
} from "./mutants.ts";

const encoder = new TextEncoder();

/** Every raw mutant of a run. */
export function* rawMutants(run: RunFiles): Generator<Mutant, void> {
  for (const [name, bytes] of run) {
    yield* byteMutants(run, name, bytes);
    if (name.endsWith(".jsonl")) yield* lineMutants(run, name, bytes);
    if (name.endsWith(".json")) yield* objectMutants(run, name, bytes);
  }
  yield* folderMutants(run);
}

/** Steps between two bytes of a file that are flipped. */
const MANY_BYTES = 2_000;

function* byteMutants(
  run: RunFiles,
  file: string,
  bytes: Uint8Array,
): Generator<Mutant, void> {
  const mutant = (change: string, altered: Uint8Array): Mutant => ({
    forgery: "none",
    file,
    event: "*",
    field: "bytes",
    change,
    make: () => withFile(run, file, altered),
  });
  const step = Math.max(1, Math.floor(bytes.length / MANY_BYTES));
  for (let at = 0; at < bytes.length; at += step) {
    const flipped = bytes.slice();
    flipped[at]! ^= 1 << (at % 8);
    yield mutant("flip", flipped);
  }
  for (const at of quarters(bytes.length)) {
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    yield mutant("cut", before);
    yield mutant("insert NUL", joined(before, new Uint8Array(1), after));
    yield mutant("insert 0xff", joined(before, Uint8Array.of(0xff), after));
    yield mutant("insert space", joined(before, Uint8Array.of(0x20), after));
    yield mutant("delete", joined(before, bytes.subarray(at + 1)));
    yield mutant(
      "NUL to the end",
      joined(before, new Uint8Array(after.length)),
    );
  }
  yield mutant("append NULs", joined(bytes, new Uint8Array(4_096)));
  yield mutant("append a line feed", joined(bytes, encoder.encode("\n")));
  yield mutant("byte order mark", joined(encoder.encode("\ufeff"), bytes));
  yield mutant("twice", joined(bytes, bytes));
  yield mutant("empty", new Uint8Array());
}

function quarters(length: number): readonly number[] {
  return [0, 1, 2, 3, 4].map((part) =>
    Math.min(length - 1, Math.floor(length * part / 4))
  );
}

function* lineMutants(
  run: RunFiles,
  file: string,
  bytes: Uint8Array,
): Generator<Mutant, void> {
  const { lines, tail } = linesOf(bytes);
  for (const [index, line] of lines.entries()) {
    const record = JSON.parse(line) as JsonObject;
    const mutant = (
      field: string,
      change: string,
      altered: readonly string[],
    ): Mutant => ({
      forgery: "none",
      file,
      event: String(record["event"]),
      field,
      change,
      make: () => withFile(run, file, joinLines(altered, tail)),
    });
    const at = (...replacement: readonly string[]) =>
      lines.toSpliced(index, 1, ...replacement);
    yield mutant("line", "delete", at());
    yield mutant("line", "duplicate", at(line, line));
    yield mutant("line", "empty line before", at("", line));
    yield mutant("line", "carriage return", at(`${line}\r`));
    yield mutant("line", "cut here", lines.slice(0, index));
    yield mutant("line", "other spelling", at(line.replace(":", ": ")));
    yield mutant(
      "line",
      "duplicate key",
      at(`{"at":null,${line.slice(1)}`),
    );
    if (index + 1 < lines.length) {
      const next = lines[index + 1]!;
      const two = lines.toSpliced(index, 2, `${line}${next}`);
      yield mutant("line", "two records on one line", two);
      yield mutant("line", "swap", lines.toSpliced(index, 2, next, line));
      const fused = `${line.slice(0, line.length >> 1)}${next}`;
      yield mutant("line", "fused", lines.toSpliced(index, 2, fused));
    }
    for (const { path, change, value } of alteredFields(record)) {
      yield mutant(path, change, at(canonicalJson(value)));
    }
  }
}

function* objectMutants(
  run: RunFiles,
  file: string,
  bytes: Uint8Array,
): Generator<Mutant, void> {
  const object = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  const mutant = (path: string, change: string, text: string): Mutant => ({
    forgery: "none",
    file,
    event: "*",
    field: path,
    change,
    make: () => withFile(run, file, encoder.encode(text)),
  });
  for (const { path, change, value } of alteredFields(object)) {
    yield mutant(path, change, `${JSON.stringify(value, null, 2)}\n`);
  }
  yield mutant("*", "other layout", `${JSON.stringify(object)}\n`);
  const text = new TextDecoder().decode(bytes);
  yield mutant("*", "duplicate key", text.replace("{", '{"run_id":"0",'));
}

function* folderMutants(run: RunFiles): Generator<Mutant, void> {
  const base = { forgery: "none", event: "*", field: "file" } as const;
  for (const file of run.keys()) {
    yield {
      ...base,
      file,
      change: "delete",
      make: () => withFile(run, file, null),
    };
    for (const [change, facts] of ODD_FACTS) {
      yield {
        ...base,
        file,
        change,
        make: () => run,
        odd: new Map([[file, facts]]),
      };
    }
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    for (const name of [`${folder}extra`, `${file}.part`, `${file}~`]) {
      yield {
        ...base,
        file: name,
        change: "insert",
        make: () => withFile(run, name, encoder.encode("{}\n")),
      };
    }
    for (const other of run.keys()) {
      if (other <= file) continue;
      const swapped = withFile(
        withFile(run, file, run.get(other)!),
        other,
        run.get(file)!,
      );
      yield {
        ...base,
        file,
        change: `swap with ${other}`,
        make: () => swapped,
      };
    }
  }
}

const ODD_FACTS = [
  ["symbolic link", { kind: "link" }],
  ["second hard link", { links: 2 }],
  ["FIFO", { kind: "other" }],
] as const;

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
