import assert from "node:assert/strict";
import fc from "fast-check";
import classes from "../../fixtures/json_classes.json" with { type: "json" };
import { parsePlatformJson } from "../../tests/platform_json.ts";
import {
  JsonNumber,
  type JsonScan,
  MAX_JSON_BYTES,
  scanJson,
  toPlainJson,
} from "./strict_json.ts";

type Input = string | { readonly base64: string };

interface JsonClass {
  readonly class: string;
  readonly accept: readonly Input[];
  /** What `JSON.parse` after a fatal decoder refuses too. */
  readonly refuse: readonly Input[];
  /** What `JSON.parse` accepts. */
  readonly stricter?: readonly {
    readonly input: Input;
    readonly error: string;
  }[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function bytesOf(input: Input): Uint8Array {
  return typeof input === "string"
    ? encoder.encode(input)
    : Uint8Array.fromBase64(input.base64);
}

function scan(input: Input, maxDepth = 8): JsonScan {
  return scanJson(bytesOf(input), { maxDepth });
}

/** What the platform's own parser makes of bytes; undefined if it refuses. */
function platformParse(bytes: Uint8Array): unknown {
  try {
    return parsePlatformJson(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The value as `JSON.parse` builds it, numbers converted without a check. */
function asPlatform(scanned: JsonScan): unknown {
  assert(scanned.ok);
  const convert = (tree: unknown): unknown => {
    if (tree instanceof JsonNumber) return Number(tree.lexeme);
    if (Array.isArray(tree)) return tree.map(convert);
    if (!(tree instanceof Map)) return tree;
    const object = {};
    for (const [key, value] of tree) {
      Object.defineProperty(object, key, {
        value: convert(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  };
  return convert(scanned.value);
}

for (const one of classes as readonly JsonClass[]) {
  Deno.test(`scanJson() decides the class "${one.class}"`, () => {
    for (const input of one.accept) {
      const bytes = bytesOf(input);
      const scanned = scanJson(bytes, { maxDepth: 8 });
      assert(scanned.ok, `refused: ${JSON.stringify(input)}`);
      assert.deepEqual(asPlatform(scanned), platformParse(bytes));
    }
    for (const input of one.refuse) {
      const bytes = bytesOf(input);
      const scanned = scanJson(bytes, { maxDepth: 8 });
      assert(!scanned.ok, `accepted: ${JSON.stringify(input)}`);
      assert.equal(scanned.error, "invalid_json");
      assert(scanned.offset >= 0 && scanned.offset <= bytes.length);
      assert.equal(platformParse(bytes), undefined, JSON.stringify(input));
    }
    for (const { input, error } of one.stricter ?? []) {
      const bytes = bytesOf(input);
      const scanned = scanJson(bytes, { maxDepth: 8 });
      assert.equal(scanned.ok ? "accepted" : scanned.error, error);
      assert.notEqual(platformParse(bytes), undefined, JSON.stringify(input));
    }
  });
}

Deno.test("scanJson() keeps numbers as they were written", () => {
  assert.deepEqual(
    scan("[1, 1.0,1e0 ,-0,1e999,123456789012345678901234567890]"),
    {
      ok: true,
      value: [
        "1",
        "1.0",
        "1e0",
        "-0",
        "1e999",
        "123456789012345678901234567890",
      ].map((lexeme) => new JsonNumber(lexeme)),
    },
  );
});

Deno.test("scanJson() takes every key as data", () => {
  const scanned = scan('{"__proto__":{"polluted":true},"constructor":null}');
  assert.deepEqual(scanned, {
    ok: true,
    value: new Map<string, unknown>([
      ["__proto__", new Map([["polluted", true]])],
      ["constructor", null],
    ]),
  });
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

Deno.test("scanJson() reads a key with an escape, whatever came before", () => {
  // V8's own parser reads the second key of each later text as the first one's.
  const keys = (text: string) => {
    const scanned = scan(text);
    assert(scanned.ok && scanned.value instanceof Map);
    return [...scanned.value.keys()];
  };
  assert.deepEqual(keys(String.raw`{"h":[],"\\":0}`), ["h", "\\"]);
  assert.deepEqual(keys(String.raw`{"h":1,"\n":0}`), ["h", "\n"]);
  assert.deepEqual(keys(String.raw`{"h":1,"\"":0}`), ["h", '"']);
  assert.deepEqual(keys(String.raw`{"g":[],"k\\":0}`), ["g", "k\\"]);
  assert.deepEqual(keys(String.raw`{"g":1,"k\n":0}`), ["g", "k\n"]);
});

Deno.test("scanJson() keeps the order of keys, numeric ones too", () => {
  const scanned = scan('{"b":0,"10":0,"2":0,"a":0}');
  assert(scanned.ok && scanned.value instanceof Map);
  assert.deepEqual([...scanned.value.keys()], ["b", "10", "2", "a"]);
});

Deno.test("scanJson() stops the moment that one level too many opens", () => {
  // What follows the ninth bracket is never looked at.
  assert.deepEqual(scan("[[[[[[[[[\xff"), {
    ok: false,
    error: "json_nesting_limit",
    message: "Level 9 of nesting opens at byte 8: at most 8 levels are allowed",
    offset: 8,
  });
  assert.equal(scan("[[[[[[[[" + "]]]]]]]]").ok, true);
  assert.equal(scan("0", 0).ok, true);
  assert.equal(scan("[]", 0).ok, false);
});

Deno.test("scanJson() lets the first fault from the left decide", () => {
  const error = (text: string) => {
    const scanned = scan(text);
    return scanned.ok ? "accepted" : [scanned.error, scanned.offset];
  };
  assert.deepEqual(error('{"a":1,"a":[[[[[[[['), ["duplicate_key", 7]);
  assert.deepEqual(error("[[[[[[[[["), ["json_nesting_limit", 8]);
  assert.deepEqual(error('{"a":01,"a":2}'), ["invalid_json", 5]);
  assert.deepEqual(error('{"é":1,"\\u00e9":2'), ["duplicate_key", 8]);
});

Deno.test("scanJson() reads a million nested arrays without recursion", () => {
  const depth = 1_000_000;
  const bytes = new Uint8Array(2 * depth).fill(0x5b, 0, depth).fill(
    0x5d,
    depth,
  );
  assert.deepEqual(scanJson(bytes, { maxDepth: depth - 1 }), {
    ok: false,
    error: "json_nesting_limit",
    message: "Level 1000000 of nesting opens at byte 999999: " +
      "at most 999999 levels are allowed",
    offset: depth - 1,
  });
  const scanned = scanJson(bytes, { maxDepth: depth });
  assert(scanned.ok);
  let levels = 0;
  let value: unknown = scanned.value;
  while (Array.isArray(value)) {
    levels++;
    value = value[0];
  }
  assert.equal(levels, depth);
  assert.equal(toPlainJson(scanned.value).ok, true);
});

Deno.test("scanJson() refuses more bytes than it is made for", () => {
  assert.throws(
    () => scanJson(new Uint8Array(MAX_JSON_BYTES + 1), { maxDepth: 8 }),
    RangeError,
  );
});

Deno.test("scanJson() reads what JSON.stringify wrote, as JSON.parse does", () => {
  fc.assert(fc.property(
    fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
    fc.constantFrom("", " ", "\n\t"),
    (value, space) => {
      const bytes = encoder.encode(
        space + JSON.stringify(value, null, 1) + space,
      );
      const scanned = scanJson(bytes, { maxDepth: 64 });
      assert.deepEqual(asPlatform(scanned), platformParse(bytes));
    },
  ));
});

// What valid and nearly valid JSON is made of.
const PIECES = [
  ..."{}[],:\"'\\ \n\t0123-+.eE/ntf`\u00e9\u{1f600}\ufeff\u0000\u007f",
  ...["{}", "[]", "true", "false", "null", '"a"', '"b"', '"a":', '"\\u0061":'],
  ...['"\\ud83d\\ude00"', '"\\ud83d"', "-0", "1.5", "1e9", "1e999", '"\\n"'],
  ...["[[[[[[[", "]]]]]]]", "NaN", "0x1", "//", "\r\n", '"a":0,', "[1],"],
];

/** JSON as text, then a few cuts and insertions anywhere in it. */
const NEARLY_JSON = fc.tuple(
  fc.jsonValue({ maxDepth: 9, noUnicodeString: false }),
  fc.array(
    fc.record({
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat({ max: 2 }),
      insert: fc.constantFrom("", ...PIECES),
    }),
    { maxLength: 2 },
  ),
).map(([value, edits]) =>
  edits.reduce((text, { place, cut, insert }) => {
    const at = Math.floor(place * text.length);
    return text.slice(0, at) + insert + text.slice(at + cut);
  }, JSON.stringify(value))
);

Deno.test("scanJson() accepts what JSON.parse accepts, save what is documented", () => {
  const seen = { accepted: 0, stricter: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        NEARLY_JSON,
        fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) =>
          `{"a":${pieces.join("")}}`
        ),
      ),
      (text) => {
        const bytes = encoder.encode(text);
        const scanned = scanJson(bytes, { maxDepth: 8 });
        const expected = platformParse(bytes);
        if (scanned.ok) {
          seen.accepted++;
          assert.deepEqual(asPlatform(scanned), expected);
        } else if (expected === undefined) {
          seen.refused++;
        } else {
          seen.stricter++;
          assert(isDocumentedDifference(scanned, bytes), text);
        }
      },
    ),
    { numRuns: 5_000, seed: 16 },
  );
  // The texts must reach all three verdicts, or the property says nothing.
  assert(seen.accepted > 500, JSON.stringify(seen));
  assert(seen.refused > 500, JSON.stringify(seen));
  assert(seen.stricter > 10, JSON.stringify(seen));
});

function isDocumentedDifference(
  scanned: Extract<JsonScan, { ok: false }>,
  bytes: Uint8Array,
): boolean {
  if (scanned.error !== "invalid_json") return true;
  return scanned.message.startsWith("Lone surrogate") ||
    (scanned.offset === 0 && bytes[0] === 0xef && bytes[2] === 0xbf);
}

Deno.test("scanJson() keeps every message short and free of raw controls", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 64 }),
        fc.array(fc.constantFrom(...PIECES)).map((pieces) =>
          encoder.encode(pieces.join(""))
        ),
        fc.string({ unit: "binary", maxLength: 300 }).map((text) =>
          encoder.encode(`{"${text}":1,"${text}":1}`)
        ),
      ),
      (bytes) => {
        const scanned = scanJson(bytes, { maxDepth: 3 });
        if (scanned.ok) return;
        assert(encoder.encode(scanned.message).length <= 200);
        assert.doesNotMatch(scanned.message, /[\p{C}\p{Zl}\p{Zp}]/u);
        assert.match(
          scanned.message,
          new RegExp(`byte ${scanned.offset}\\b|^No JSON`),
        );
        assert(scanned.offset <= bytes.length);
      },
    ),
    { numRuns: 3_000 },
  );
});
