// Altered copies of a run. Raw ones are altered as a disk or an editor would do
// it; forged ones are made consistent again afterwards: every later record is
// chained anew, and the final report gets the new head and count.

import type { Json, JsonObject } from "../lib/agent/json.ts";
import type { FileFacts } from "../lib/system/files.ts";
import type { RunFiles } from "./memory_files.ts";

export { chainAnew, joinLines, linesOf, parsed } from "../lib/cli/forgery.ts";

/** How much was made consistent after the change. */
export type Forgery = "none" | "chain" | "facts";

/** One altered copy of a run. */
export interface Mutant {
  readonly forgery: Forgery;
  readonly file: string;
  /** Event type, or `*` where no single record was altered. */
  readonly event: string;
  /** Path of the field, or what else was altered. */
  readonly field: string;
  /** What was done, such as `delete`. */
  readonly change: string;
  /** Makes the copy; null where the change makes no run at all. */
  readonly make: () => RunFiles | null | Promise<RunFiles | null>;
  readonly odd?: ReadonlyMap<string, Partial<FileFacts>>;
}

/** The run with one file's bytes replaced; null removes it. */
export function withFile(
  run: RunFiles,
  name: string,
  bytes: Uint8Array | null,
): RunFiles {
  const files = new Map(run);
  if (bytes === null) files.delete(name);
  else files.set(name, bytes);
  return files;
}

/** One altered value, and where and how it was altered. */
export interface AlteredValue {
  readonly path: string;
  readonly change: string;
  readonly value: JsonObject;
}

/** Every field of an object, altered in each way that fits its kind. */
export function* alteredFields(
  value: JsonObject,
): Generator<AlteredValue, void> {
  for (const [path, found] of fields(value, [])) {
    for (const [change, other] of alteredValues(found)) {
      yield {
        path: path.join("."),
        change,
        value: replaced(value, path, other) as JsonObject,
      };
    }
    yield {
      path: path.join("."),
      change: "delete",
      value: replaced(value, path, undefined) as JsonObject,
    };
  }
  yield { path: "added", change: "insert", value: { ...value, added: 1 } };
}

function* fields(
  value: Json,
  path: readonly string[],
): Generator<readonly [readonly string[], Json], void> {
  if (path.length > 0) yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    yield* fields(one, [...path, key]);
  }
}

/** Words that stand in each other's place. */
const SIBLINGS: readonly (readonly string[])[] = [
  ["cancelled", "call_expired", "run_expired", "io", "target_changed"],
  ["cancelled", "time_limit", "model_error"],
  ["before", "after", "other"],
  ["missing", "extra_link", "bytes_changed"],
  ["recheck", "rename", "sync", "read_back"],
  ["scripted", "stdio", "model", "recorded"],
  ["command", "typed", "flag"],
  ["denied", "not_enforced"],
  ["fact", "derived"],
  ["valid", "invalid", "neutral"],
];

function alteredValues(value: Json): readonly (readonly [string, Json])[] {
  switch (typeof value) {
    case "number":
      return [
        ["more", value + 1],
        ["less", value - 1],
        ["slightly more", value + 0.001],
        ["null", null],
      ];
    case "boolean":
      return [["flip", !value], ["null", null]];
    case "string":
      return [
        [
          "first character",
          `${value.startsWith("0") ? "1" : "0"}${value.slice(1)}`,
        ],
        ["append", `${value} `],
        ["null", null],
        ...SIBLINGS.filter((words) => words.includes(value)).flatMap((words) =>
          words.filter((word) => word !== value)
            .map((word) => [`to ${word}`, word] as const)
        ),
      ];
    default:
      if (value === null) return [["text", "text"], ["zero", 0]];
      if (Array.isArray(value)) {
        return [
          ["duplicate", [...value, ...value.slice(-1)]],
          ["reverse", [...value].reverse()],
          ["empty", []],
        ];
      }
      return [["empty", {}], ["insert", { ...value, added: 1 }]];
  }
}

function replaced(
  value: Json,
  [key, ...path]: readonly string[],
  other: Json | undefined,
): Json {
  const copy = structuredClone(value) as Json[] & { [key: string]: Json };
  if (path.length > 0) {
    copy[key!] = replaced(copy[key!]!, path, other);
  } else if (other !== undefined) copy[key!] = other;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key!];
  return copy;
}
