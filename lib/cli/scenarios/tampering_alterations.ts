// Carries an alteration out, straight on the disk.

import { AUDIT_NAME } from "../../evidence/audit_writer.ts";
import { FINAL_NAME } from "../../evidence/final_report.ts";
import { MANIFEST_NAME } from "../../evidence/manifest.ts";
import { RECOVERY_NAME } from "../../evidence/recovery_records.ts";
import { diskFiles } from "../../system/files.ts";
import { chainAnew } from "../forgery.ts";
import type { Alteration } from "./tampering_format.ts";

const LINE_FEED = 0x0a;

/**
 * Alters a run.
 *
 * @param folder Its real path.
 * @throws {RangeError} where there is nothing to alter so.
 */
export function alterRun(alteration: Alteration, folder: string): void {
  if (alteration.alter === "chain_anew") return chainFilesAnew(folder);
  const path = `${folder}/${alteration.file}`;
  switch (alteration.alter) {
    case "create":
      return Deno.writeTextFileSync(path, alteration.text, { createNew: true });
    case "delete":
      return Deno.removeSync(path);
    case "empty":
      return Deno.truncateSync(path);
  }
  Deno.writeFileSync(path, altered(alteration, Deno.readFileSync(path)));
}

type Rewriting = Exclude<
  Alteration,
  { alter: "chain_anew" | "create" | "delete" | "empty" }
>;

/** A file's bytes, altered. */
function altered(alteration: Rewriting, bytes: Uint8Array): Uint8Array {
  switch (alteration.alter) {
    case "flip_bit": {
      const at = placeOf(alteration, bytes) + alteration.byte;
      return spliced(bytes, at, 1, Uint8Array.of(bytes[at]! ^ 1));
    }
    case "overwrite": {
      const at = placeOf(alteration, bytes) + alteration.byte;
      const written = Uint8Array.fromBase64(alteration.base64);
      return spliced(bytes, at, written.length, written);
    }
    case "replace":
      return replaced(alteration, bytes);
    case "cut_end":
      return bytes.subarray(0, bytes.length - alteration.bytes);
    case "append_nuls":
      return spliced(bytes, bytes.length, 0, new Uint8Array(alteration.bytes));
    default: {
      const { line } = alteration;
      const [start, next] = [
        lineStart(bytes, line),
        lineStart(bytes, line + 1),
      ];
      const own = bytes.subarray(start, next);
      switch (alteration.alter) {
        case "delete_line":
          return spliced(bytes, start, own.length);
        case "insert_line": {
          const inserted = new TextEncoder().encode(`${alteration.text}\n`);
          return spliced(bytes, start, 0, inserted);
        }
        case "repeat_line":
          return spliced(bytes, start, 0, own);
        case "join_lines":
          return spliced(bytes, next - 1, 1);
        case "swap_lines": {
          const end = lineStart(bytes, line + 2);
          return spliced(spliced(bytes, end, 0, own), start, own.length);
        }
      }
    }
  }
}

/** Where a line or the file begins. */
function placeOf(
  { line }: { readonly line?: number | undefined },
  bytes: Uint8Array,
): number {
  return line === undefined ? 0 : lineStart(bytes, line);
}

function lineStart(bytes: Uint8Array, line: number): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) throw new RangeError(`There is no line ${line}`);
    start = end + 1;
  }
  return start;
}

function replaced(
  alteration: Alteration & { alter: "replace" },
  bytes: Uint8Array,
): Uint8Array {
  const { line, old } = alteration;
  const start = placeOf(alteration, bytes);
  const end = line === undefined ? bytes.length : lineStart(bytes, line + 1);
  const text = new TextDecoder().decode(bytes.subarray(start, end));
  if (text.split(old).length !== 2) {
    throw new RangeError(`${JSON.stringify(old)} isn't there once`);
  }
  const other = text.replace(old, () => alteration.new);
  return spliced(bytes, start, end - start, new TextEncoder().encode(other));
}

function spliced(
  bytes: Uint8Array,
  at: number,
  count: number,
  put: Uint8Array = new Uint8Array(),
): Uint8Array {
  if (at + count > bytes.length) throw new RangeError("The file ends before");
  const out = new Uint8Array(bytes.length - count + put.length);
  out.set(bytes.subarray(0, at));
  out.set(put, at);
  out.set(bytes.subarray(at + count), at + put.length);
  return out;
}

function chainFilesAnew(folder: string): void {
  const names = [MANIFEST_NAME, AUDIT_NAME, RECOVERY_NAME, FINAL_NAME]
    .filter((name) => diskFiles.facts(`${folder}/${name}`) !== null);
  const files = new Map(
    names.map((name) => [name, Deno.readFileSync(`${folder}/${name}`)]),
  );
  for (const [name, bytes] of chainAnew(files, {})) {
    Deno.writeFileSync(`${folder}/${name}`, bytes);
  }
}
