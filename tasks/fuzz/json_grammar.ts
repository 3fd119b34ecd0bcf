// Random JSON texts, and changed ones: a parsed text with one value, key or
// member altered is still JSON, so the change gets past the syntax.

import type { Random } from "../../tests/expression_generator.ts";
import { bytesOf, textOf } from "./fuzz_target.ts";
import { NUMBERS } from "./mutate_bytes.ts";

/** Words of JSON, and of what is mistaken for it. */
export const JSON_WORDS: readonly string[] = [
  ..."{ } [ ] , : \" \\ true false null NaN Infinity // /* ' `".split(" "),
  ...[' {"a":1}', "[1]", '"a":', '"a":1,', "\\u0061", "\\ud83d", "\\ude00"],
  ...["\\ud83d\\ude00", "\\/", "\\n", "\\x", "\u00e9", "\u{1f600}", "\ufeff"],
  ...["\u2028", "\u202e", "\0", "\x7f", "\x1b[31m", '"__proto__":', "```json"],
  ...["<think>", "-", "0", "1e9", "1E+", ".5", "1.", "\r\n", "\t", "[[[[[[[["],
];

/** A JSON text, in any spelling; with a chance, something that JSON isn't. */
export function writeJson(random: Random, level: number): string {
  if (random.chance(2)) return random.pick(JSON_WORDS);
  const space = () => random.pick(["", "", "", " ", "\n", "\t", "\r\n", "  "]);
  const several = (one: () => string): string =>
    Array.from({ length: random.below(4) }, () => space() + one() + space())
      .join(",");
  switch (level > 0 ? random.below(6) : 2 + random.below(4)) {
    case 0:
      return `[${several(() => writeJson(random, level - 1))}${space()}]`;
    case 1:
      return `{${
        several(() =>
          `${writeString(random)}${space()}:${space()}${
            writeJson(random, level - 1)
          }`
        )
      }${space()}}`;
    case 2:
      return writeString(random);
    case 3:
      return random.pick(["true", "false", "null"]);
    default:
      return writeNumber(random);
  }
}

function writeString(random: Random): string {
  const count = random.pick([0, 1, 1, 2, 3, 8]);
  const pieces = Array.from(
    { length: count },
    () => random.pick(STRING_PIECES),
  );
  return `"${pieces.join("")}"`;
}

const STRING_PIECES = [
  ...'a b c A 0 é € 😀 \\" \\\\ \\/ \\b \\f \\n \\r \\t'.split(" "),
  ..."\\u0061 \\u0041 \\u0000 \\u00e9 \\ud83d\\ude00 \\uD800 \\udfff \\uZZZZ"
    .split(" "),
  ...["__proto__", "action", "\ufeff", "\u2028", "\u202e", "\x7f", " ", "\t"],
];

function writeNumber(random: Random): string {
  if (random.chance(60)) return random.pick(NUMBERS);
  const digits = () =>
    Array.from({ length: 1 + random.below(4) }, () => random.below(10)).join(
      "",
    );
  return [
    random.chance(30) ? "-" : "",
    random.chance(50) ? String(random.below(1_000)) : digits(),
    random.chance(40) ? `.${digits()}` : "",
    random.chance(30) ? random.pick(["e", "E", "e+", "e-"]) + digits() : "",
  ].join("");
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A text with one place of its value changed; as it is if it is no JSON. */
export function mutateJson(input: Uint8Array, random: Random): Uint8Array {
  let value: Json;
  try {
    value = JSON.parse(textOf(input));
  } catch {
    return input;
  }
  const holder = { value };
  const places: [holder: { [key: string]: Json } | Json[], key: string][] = [];
  collect(holder, places);
  const changes = random.pick([1, 1, 1, 2, 3]);
  for (let change = 0; change < changes; change++) {
    const [at, key] = random.pick(places);
    alter(at as { [key: string]: Json }, key, places, random);
  }
  return bytesOf(JSON.stringify(holder.value) ?? "null");
}

function collect(
  holder: { [key: string]: Json } | Json[],
  places: [holder: { [key: string]: Json } | Json[], key: string][],
): void {
  for (const [key, value] of Object.entries(holder)) {
    places.push([holder, key]);
    if (typeof value === "object" && value !== null) collect(value, places);
  }
}

function alter(
  at: { [key: string]: Json },
  key: string,
  places: readonly [holder: unknown, key: string][],
  random: Random,
): void {
  const value = ownValue(at, key);
  switch (random.below(7)) {
    case 0:
      if (Array.isArray(at)) at.splice(Number(key), 1);
      else delete at[key];
      return;
    case 1: {
      const [from, name] = random.pick(places);
      put(
        at,
        key,
        structuredClone(
          ownValue(from as { [key: string]: Json }, name),
        ),
      );
      return;
    }
    case 2:
      if (Array.isArray(at)) at.push(structuredClone(value));
      else put(at, random.pick(KEYS), structuredClone(value));
      return;
    case 3:
      if (typeof value === "string") {
        const cut = random.below(value.length + 1);
        put(
          at,
          key,
          value.slice(0, cut) + random.pick(TEXTS) +
            value.slice(cut + random.below(3)),
        );
        return;
      }
      if (typeof value === "number") {
        put(at, key, value + random.pick([1, -1, 0.5, 1e9, -value, value]));
        return;
      }
      break;
    case 4:
      put(at, key, Number(random.pick(NUMBERS)) || 0);
      return;
  }
  put(at, key, structuredClone(random.pick(VALUES)));
}

/** An earlier change may have taken the value away. */
function ownValue(at: { [key: string]: Json }, key: string): Json {
  return Object.hasOwn(at, key) ? at[key]! : null;
}

/** Also a key that means something else when it is assigned. */
function put(at: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(at, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

const KEYS = ["a", "", "__proto__", "constructor", "x\x1b[31m", "\u202e", "é"];
const TEXTS = ["", "a", "0", "\n", "\x1b[2J", "\u202e", "\0", "é", "/", " "];
const VALUES: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 0.5, 1e300, 2 ** 53, 2 ** 31, "", "a"],
  ...["\x1b[31m", "\u202eabc", "a".repeat(300), [], {}, [[]], [0, 1], { a: 1 }],
];
