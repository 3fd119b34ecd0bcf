// Strict readers that share no line of code must agree on every text: ours, the
// json module of CPython made as strict as lab Part 5 asks, and jiter, which is
// written in Rust, asked for what it has of strictness. (The scanner's own tests
// hold it against a third, V8's.)

import assert from "node:assert/strict";
import fc from "fast-check";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import classes from "../fixtures/json_classes.json" with { type: "json" };
import {
  JsonNumber,
  type JsonTree,
  scanJson,
} from "../lib/system/strict_json.ts";

/** Levels that no text below reaches, so that nesting doesn't decide. */
const MAX_DEPTH = 200;

/** Number of seeded mutants. */
const MUTANTS = 6_000;

// A line of base64 in, a line of JSON out: null where the text is refused, else
// the value in a form that keeps the order of keys and the text of numbers.
const CPYTHON = `
import base64, json, sys

def pairs(members):
    keys = [key for key, _ in members]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate key")
    return ("object", members)

def refuse(constant):
    raise ValueError(constant)

class Number(str):
    pass

def tagged(value):
    if isinstance(value, Number):
        return ["number", str(value)]
    if isinstance(value, str):
        value.encode("utf-8")
        return ["string", value]
    if isinstance(value, list):
        return ["array", [tagged(item) for item in value]]
    if isinstance(value, tuple):
        return ["object", [[tagged(key)[1], tagged(one)] for key, one in value[1]]]
    return ["literal", value]

for line in sys.stdin:
    try:
        text = base64.b64decode(line).decode("utf-8", "strict")
        value = json.loads(
            text, object_pairs_hook=pairs, parse_constant=refuse,
            parse_int=Number, parse_float=Number)
        print(json.dumps([tagged(value)]))
    except ValueError:
        print("null")
`;

// The same; an integer comes back as its value, so that a negative zero is zero.
const JITER = `
import base64, json, sys
import jiter

sys.set_int_max_str_digits(0)

def tagged(value):
    if value is None or isinstance(value, bool):
        return ["literal", value]
    if isinstance(value, (int, jiter.LosslessFloat)):
        return ["number", str(value)]
    if isinstance(value, str):
        return ["string", value]
    if isinstance(value, list):
        return ["array", [tagged(item) for item in value]]
    return ["object", [[key, tagged(one)] for key, one in value.items()]]

for line in sys.stdin:
    try:
        value = jiter.from_json(
            base64.b64decode(line), allow_inf_nan=False, cache_mode="none",
            float_mode="lossless-float", catch_duplicate_keys=True)
        print(json.dumps([tagged(value)]))
    except ValueError:
        print("null")
`;

/** Another reader: its program, and how it gives a number back. */
interface OtherReader {
  readonly program: string;
  readonly number: (lexeme: string) => string;
}

const OTHERS: Readonly<Record<string, OtherReader>> = {
  CPython: { program: CPYTHON, number: (lexeme) => lexeme },
  jiter: {
    program: JITER,
    number: (lexeme) =>
      /[.eE]/.test(lexeme) ? lexeme : BigInt(lexeme).toString(),
  },
};

type Tagged = readonly [kind: string, content: unknown];

async function readWith(
  program: string,
  texts: readonly Uint8Array[],
): Promise<([Tagged] | null)[]> {
  let reader: Deno.ChildProcess;
  try {
    reader = new Deno.Command("python3", {
      args: ["-I", "-c", program],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
  } catch (cause) {
    throw new Error(
      "Cannot start python3: this test holds its readers against ours. " +
        '"deno task test" installs what it needs',
      { cause },
    );
  }
  const lines = texts.map((bytes) => `${bytes.toBase64()}\n`).join("");
  const [output] = await Promise.all([
    reader.output(),
    ReadableStream.from([new TextEncoder().encode(lines)]).pipeTo(reader.stdin),
  ]);
  assert.equal(output.code, 0);
  const answers = new TextDecoder().decode(output.stdout).trimEnd().split("\n");
  return answers.map((line) => JSON.parse(line));
}

function tagged(value: JsonTree, number: OtherReader["number"]): Tagged {
  if (value instanceof JsonNumber) return ["number", number(value.lexeme)];
  if (typeof value === "string") return ["string", value];
  if (value === null || typeof value === "boolean") return ["literal", value];
  if (value instanceof Map) {
    return [
      "object",
      [...value].map(([key, one]) => [key, tagged(one, number)]),
    ];
  }
  return [
    "array",
    (value as readonly JsonTree[]).map((one) => tagged(one, number)),
  ];
}

function readWithScanner(
  bytes: Uint8Array,
  number: OtherReader["number"],
): [Tagged] | null {
  const scanned = scanJson(bytes, { maxDepth: MAX_DEPTH });
  return scanned.ok ? [tagged(scanned.value, number)] : null;
}

async function compare(
  { program, number }: OtherReader,
  texts: readonly Uint8Array[],
): Promise<{ accepted: number; refused: number }> {
  const expected = await readWith(program, texts);
  assert.equal(expected.length, texts.length);
  const seen = { accepted: 0, refused: 0 };
  texts.forEach((bytes, index) => {
    const ours = readWithScanner(bytes, number);
    seen[ours === null ? "refused" : "accepted"]++;
    assert.deepEqual(ours, expected[index], `bytes ${bytes.toHex()}`);
  });
  return seen;
}

const CLASS_INPUTS = classes.flatMap((one) => [
  ...one.accept,
  ...one.refuse,
  ...(one.stricter ?? []).map(({ input }) => input),
]).map((input) =>
  typeof input === "string"
    ? new TextEncoder().encode(input)
    : Uint8Array.fromBase64(input.base64)
);

/** Bytes that JSON and its counterfeits are made of. */
const PIECES = [
  ..."{}[],:\"\\/ \n\t0123-+.eEuntf'`\0\x7f",
  ...[
    "\u00e9",
    "\u{1f600}",
    "\ufeff",
    "\u2028",
    "\\u0061",
    "\\ud83d",
    "\\ude00",
  ],
  ...["true", "null", "NaN", "-0", "1e9", '"a":', '"a":1,', "[1],", "//"],
].map((piece) => new TextEncoder().encode(piece));

/** A text with up to three cuts, repetitions or insertions, byte by byte. */
const MUTANT = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      ...baseline.map((text) => new TextEncoder().encode(text)),
      ...CLASS_INPUTS,
    ),
    fc.jsonValue({ maxDepth: 4, noUnicodeString: false }).map((value) =>
      new TextEncoder().encode(JSON.stringify(value))
    ),
  ),
  fc.array(
    fc.record({
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat({ max: 3 }),
      repeat: fc.nat({ max: 4 }),
      insert: fc.oneof(
        fc.constantFrom(...PIECES),
        fc.uint8Array({ maxLength: 2 }),
      ),
    }),
    { maxLength: 3 },
  ),
).map(([start, edits]) =>
  edits.reduce((bytes, { place, cut, repeat, insert }) => {
    const at = Math.floor(place * bytes.length);
    return Uint8Array.from([
      ...bytes.subarray(0, at),
      ...insert,
      ...bytes.subarray(Math.max(0, at - repeat), at),
      ...bytes.subarray(at + cut),
    ]);
  }, start)
);

for (const [name, other] of Object.entries(OTHERS)) {
  Deno.test(`scanJson() and ${name} agree on each class of input`, async () => {
    await compare(other, CLASS_INPUTS);
  });

  Deno.test(`scanJson() and ${name} agree on seeded mutants`, async () => {
    const mutants = fc.sample(MUTANT, { numRuns: MUTANTS, seed: 16 });
    const seen = await compare(other, mutants);
    // Both verdicts must be common, or agreement says nothing.
    assert(seen.accepted > MUTANTS / 10, JSON.stringify(seen));
    assert(seen.refused > MUTANTS / 10, JSON.stringify(seen));
  });
}
