// From a strict scan to the JSON data model, for formats that may hold any
// number. A number is handed on only if it is still the number that was
// written.

import type { Json } from "../agent/json.ts";
import {
  isJsonTreeArray,
  isJsonTreeObject,
  JsonNumber,
  type JsonTree,
} from "./strict_json_tree.ts";

/** What {@link toPlainJson} made of a tree. */
export type PlainJson =
  | { readonly ok: true; readonly value: Json }
  | {
    readonly ok: false;
    readonly error: "number_changes_value";
    /** At most 200 bytes; names the number. */
    readonly message: string;
  };

/**
 * Turns a scanned value into plain JSON, without recursion. Objects have a null
 * prototype, so any key may be read from them.
 *
 * A number without fraction and exponent must be at most 2^53 - 1 in size;
 * another one becomes the nearest finite double. Refused because they would
 * change value: bigger integers, `1e999`, `1e-999`, and every negative zero,
 * which is written down again as `0`.
 *
 * @returns The value, or one number that would change it.
 */
export function toPlainJson(tree: JsonTree): PlainJson {
  const open: OpenContainer[] = [];
  const value = scalarOrContainer(tree, open);
  if (value instanceof ChangedNumber) return refuse(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const changed = fill(next, open);
    if (changed !== undefined) return refuse(changed);
  }
  return { ok: true, value };
}

/**
 * The JavaScript number that a JSON number stands for.
 *
 * @returns Undefined where it would change value: see {@link toPlainJson}.
 */
export function exactNumber(number: JsonNumber): number | undefined {
  const value = Number(number.lexeme);
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  if (/^-?[0-9]+$/.test(number.lexeme)) {
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const underflows = value === 0 && /^[0.]*[1-9]/.test(number.lexeme);
  return underflows ? undefined : value;
}

/** A number that a double cannot hold. */
class ChangedNumber {
  constructor(readonly lexeme: string) {}
}

type PlainObject = { [key: string]: Json };

type OpenContainer =
  | { readonly from: readonly JsonTree[]; readonly array: Json[] }
  | {
    readonly from: ReadonlyMap<string, JsonTree>;
    readonly object: PlainObject;
  };

function fill(
  container: OpenContainer,
  open: OpenContainer[],
): ChangedNumber | undefined {
  if ("array" in container) {
    for (const item of container.from) {
      const value = scalarOrContainer(item, open);
      if (value instanceof ChangedNumber) return value;
      container.array.push(value);
    }
    return undefined;
  }
  for (const [key, member] of container.from) {
    const value = scalarOrContainer(member, open);
    if (value instanceof ChangedNumber) return value;
    container.object[key] = value;
  }
  return undefined;
}

/** A container comes back empty and is left in `open`, to be filled. */
function scalarOrContainer(
  tree: JsonTree,
  open: OpenContainer[],
): Json | ChangedNumber {
  if (tree === null || typeof tree !== "object") return tree;
  if (tree instanceof JsonNumber) {
    return exactNumber(tree) ?? new ChangedNumber(tree.lexeme);
  }
  if (isJsonTreeArray(tree)) {
    const array: Json[] = [];
    open.push({ from: tree, array });
    return array;
  }
  if (isJsonTreeObject(tree)) {
    const object: PlainObject = Object.create(null);
    open.push({ from: tree, object });
    return object;
  }
  return unreachable(tree);
}

function refuse(changed: ChangedNumber): PlainJson {
  const { lexeme } = changed;
  const shown = lexeme.length <= 40 ? lexeme : `${lexeme.slice(0, 40)}…`;
  return {
    ok: false,
    error: "number_changes_value",
    message: `The number ${shown} cannot be kept exactly`,
  };
}

function unreachable(value: never): never {
  throw new TypeError(`Not a JSON value: ${String(value)}`);
}
