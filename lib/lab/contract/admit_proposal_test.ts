import assert from "node:assert/strict";
import fc from "fast-check";
import baseline from "../../../fixtures/baseline.json" with { type: "json" };
import { ACTION_SCHEMA } from "./action_schema.ts";
import { admitProposal } from "./admit_proposal.ts";
import { ACTION_NAMES, CONTRACT } from "./contract_table.ts";
import { PROPOSAL_DENIALS } from "./denial_codes.ts";

const encoder = new TextEncoder();

function admit(text: string) {
  return admitProposal(encoder.encode(text));
}

/** A replacement with some fields in place of good ones, as JSON text. */
function replacement(fields: Record<string, string>): string {
  const all = {
    action: '"replace"',
    function: '"clamp"',
    old: '"x"',
    new: '"lo"',
    version: "0",
    ...fields,
  };
  const members = Object.entries(all).map(([key, json]) => `"${key}":${json}`);
  return `{${members.join(",")}}`;
}

function code(text: string): string {
  const admission = admit(text);
  return admission.ok ? "admitted" : admission.error;
}

Deno.test("admitProposal() admits each line of the scripted baseline", () => {
  assert.deepEqual(
    baseline.map(admit),
    baseline.map((text) => ({ ok: true, action: JSON.parse(text) })),
  );
});

Deno.test("admitProposal() admits keys in any order and JSON whitespace", () => {
  assert.deepEqual(
    admit('\r\n\t {"version" : 6,\n"action":"fini\\u0073h"} \n'),
    {
      ok: true,
      action: { action: "finish", version: 6 },
    },
  );
});

Deno.test("admitProposal() takes 2,048 bytes, and no more, before any scan", () => {
  const test = '{"action":"test"}';
  assert.deepEqual(admit(test.padEnd(2_048)), {
    ok: true,
    action: { action: "test" },
  });
  assert.deepEqual(admit(test.padEnd(2_049)), {
    ok: false,
    error: "proposal_too_large",
    message: "The proposal has 2049 bytes; the most is 2048",
  });
  assert.equal(code("[".repeat(2_049)), "proposal_too_large");
  assert.equal(code("[".repeat(2_048)), "json_nesting_limit");
  assert.equal(code("é".repeat(1_025)), "proposal_too_large");
  assert.deepEqual(admitProposal(new Uint8Array(1_000_000).fill(0x5b)), {
    ok: false,
    error: "proposal_too_large",
    message: "The proposal has 1000000 bytes; the most is 2048",
  });
});

Deno.test("admitProposal() takes 8 levels of nesting, and no more", () => {
  const nested = (levels: number) =>
    `{"action":"read","file":${"[".repeat(levels - 1)}${
      "]".repeat(levels - 1)
    }}`;
  assert.deepEqual(admit(nested(8)), {
    ok: false,
    error: "invalid_type",
    message: '"file" must be a string, not an array',
    action: "read",
  });
  assert.deepEqual(admit(nested(9)), {
    ok: false,
    error: "json_nesting_limit",
    message:
      "Level 9 of nesting opens at byte 31: at most 8 levels are allowed",
    offset: 31,
  });
});

Deno.test("admitProposal() refuses what isn't exactly one JSON object", () => {
  const cases: [text: string, code: string][] = [
    ["", "invalid_json"],
    ['```json\n{"action":"test"}\n```', "invalid_json"],
    ['<think>\n</think>{"action":"test"}', "invalid_json"],
    ['{"action":"test"} I ran [the tests].', "invalid_json"],
    ['{"action":"test"}{"action":"test"}', "invalid_json"],
    ['{"action":"test",}', "invalid_json"],
    ["{'action':'test'}", "invalid_json"],
    ["\ufeff{}", "invalid_json"],
    ['{"action":"test"}\0', "invalid_json"],
    ['{"action":"te\nst"}', "invalid_json"],
    ['{"action":"\\ud800"}', "invalid_json"],
    ['{"action":"finish","version":NaN}', "invalid_json"],
    ['{"action":"finish","version":01}', "invalid_json"],
    ['{"action":"test","action":"test"}', "duplicate_key"],
    ['{"action":"test","\\u0061ction":"test"}', "duplicate_key"],
    ['{"action":"test","x":{"__proto__":1,"__proto__":1}}', "duplicate_key"],
    ['[{"action":"test"}]', "not_an_object"],
    ['"{}"', "not_an_object"],
    ["null", "not_an_object"],
    ["1e999", "not_an_object"],
  ];
  assert.deepEqual(cases.map(([text]) => [text, code(text)]), cases);
});

Deno.test("admitProposal() judges the action's name before the keys", () => {
  const cases: [text: string, code: string][] = [
    ["{}", "invalid_fields"],
    ['{"Action":"test"}', "invalid_fields"],
    ['{"action":null,"x":1}', "invalid_type"],
    ['{"action":["test"]}', "invalid_type"],
    ['{"action":"delete","file":1}', "unknown_action"],
    ['{"action":"Read","file":"TASK.txt"}', "unknown_action"],
    ['{"action":"read "}', "unknown_action"],
    ['{"action":""}', "unknown_action"],
    ['{"action":"__proto__"}', "unknown_action"],
    ['{"action":"constructor"}', "unknown_action"],
    ['{"action":"toString"}', "unknown_action"],
  ];
  assert.deepEqual(cases.map(([text]) => [text, code(text)]), cases);
});

Deno.test("admitProposal() names missing and unlisted keys", () => {
  assert.deepEqual(
    admit(
      '{"action":"replace","new":"x","path":1,"__proto__":{},"constructor":2}',
    ),
    {
      ok: false,
      error: "invalid_fields",
      message: "replace takes exactly the keys action, function, old, new, " +
        'version; missing: function, old, version; unlisted: "path", ' +
        '"__proto__" and 1 more',
      action: "replace",
    },
  );
  assert.deepEqual(admit('{"action":"test","version":0}'), {
    ok: false,
    error: "invalid_fields",
    message: 'test takes exactly the keys action; unlisted: "version"',
    action: "test",
  });
  assert.deepEqual(admit('{"action":"finish"}'), {
    ok: false,
    error: "invalid_fields",
    message: "finish takes exactly the keys action, version; missing: version",
    action: "finish",
  });
});

Deno.test("admitProposal() judges a version by how it is written", () => {
  const cases: [lexeme: string, code: string][] = [
    ...["0", "1", "2", "3", "4", "5", "6"].map((digit) =>
      [digit, "admitted"] as [string, string]
    ),
    ["7", "invalid_value"],
    ["9", "invalid_value"],
    ["10", "invalid_value"],
    ["-0", "invalid_value"],
    ["-1", "invalid_value"],
    ["123456789012345678901234567890", "invalid_value"],
    ["0.0", "invalid_type"],
    ["1.0", "invalid_type"],
    ["1e0", "invalid_type"],
    ["0E1", "invalid_type"],
    ["1e999", "invalid_type"],
    ["1e-999", "invalid_type"],
    ["true", "invalid_type"],
    ["false", "invalid_type"],
    ["null", "invalid_type"],
    ['"0"', "invalid_type"],
    ["[0]", "invalid_type"],
    ["{}", "invalid_type"],
  ];
  for (
    const around of [
      (version: string) => `{"action":"finish","version":${version}}`,
      (version: string) => replacement({ version }),
    ]
  ) {
    assert.deepEqual(
      cases.map(([lexeme]) => [lexeme, code(around(lexeme))]),
      cases,
    );
  }
});

Deno.test("admitProposal() knows two files and two functions, exactly", () => {
  const files = [
    "../TASK.txt",
    "/etc/passwd",
    "./TASK.txt",
    "task.txt",
    "TASK.txt ",
    "TASK.txt\0",
    "ＴASK.txt",
    "toy_math.py\u200b",
    "",
    "__proto__",
  ];
  for (const file of files) {
    assert.deepEqual(admit(JSON.stringify({ action: "read", file })), {
      ok: false,
      error: "forbidden_file",
      message: '"file" must be "TASK.txt" or "toy_math.py"',
      action: "read",
    });
  }
  for (const name of ["Clamp", "clamp()", "__init__", "toString", ""]) {
    assert.deepEqual(admit(replacement({ function: JSON.stringify(name) })), {
      ok: false,
      error: "unknown_function",
      message: '"function" must be "clamp" or "total"',
      action: "replace",
    });
  }
});

Deno.test("admitProposal() bounds expression strings on both sides", () => {
  const cases: [text: string, code: string][] = [
    ["", "expression_bounds"],
    [" ", "admitted"],
    ["~", "admitted"],
    ['"\\', "admitted"],
    ["x".repeat(256), "admitted"],
    ["x".repeat(257), "expression_bounds"],
    ["x\n", "expression_bounds"],
    ["x\ty", "expression_bounds"],
    ["\u0000", "expression_bounds"],
    ["\u001f", "expression_bounds"],
    ["\u007f", "expression_bounds"],
    ["\u0080", "expression_bounds"],
    ["é", "expression_bounds"],
    ["x\u202e", "expression_bounds"],
    ["ｘ", "expression_bounds"],
    ["😀", "expression_bounds"],
  ];
  for (const key of ["old", "new"]) {
    assert.deepEqual(
      cases.map(([text]) => [
        text,
        code(replacement({ [key]: JSON.stringify(text) })),
      ]),
      cases,
    );
  }
  assert.deepEqual(admit(replacement({ new: '"x + \\u202e"' })), {
    ok: false,
    error: "expression_bounds",
    message: '"new" must be printable ASCII on one line, but has "\\u{202e}" ' +
      "after 4 characters",
    action: "replace",
  });
  assert.deepEqual(admit(replacement({ old: '""' })), {
    ok: false,
    error: "expression_bounds",
    message: '"old" must have 1 to 256 characters, not 0',
    action: "replace",
  });
});

Deno.test("admitProposal() lets the earliest stage decide", () => {
  const worst = {
    function: '"f"',
    old: '""',
    new: '"é"',
    version: "7",
  };
  const cases: [text: string, code: string][] = [
    [replacement({ ...worst, version: "true", extra: "1" }), "invalid_fields"],
    [replacement({ ...worst, version: "true" }), "invalid_type"],
    [replacement({ ...worst, function: "1" }), "invalid_type"],
    [replacement(worst), "unknown_function"],
    [replacement({ ...worst, function: '"total"' }), "invalid_value"],
    [
      replacement({ ...worst, function: '"total"', version: "6" }),
      "expression_bounds",
    ],
  ];
  assert.deepEqual(cases.map(([text]) => [text, code(text)]), cases);
  const [old, fresh] = [
    replacement({ old: "1", new: "2" }),
    replacement({ new: "2" }),
  ]
    .map(admit);
  assert(old?.ok === false && old.message.startsWith('"old"'));
  assert(fresh?.ok === false && fresh.message.startsWith('"new"'));
});

/** Values for each kind of key: good ones, nearly good ones, wrong types. */
const FIELD_VALUES = {
  choice: fc.constantFrom("TASK.txt", "toy_math.py", "clamp", "total", "x", 1),
  expression: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("x", " ", "a".repeat(256)) },
    fc.constantFrom("", "b".repeat(257), "é", "x\n", null),
    fc.string({ unit: "binary", maxLength: 2 }),
  ),
  version: fc.oneof(
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom(-1, 7, 0.5, "1", true, 1e30),
  ),
};

/** A branch's own keys with such values, one key renamed now and then. */
const NEAR_ACTION = fc.constantFrom(
  ...CONTRACT,
  { action: "delete", fields: [] },
  { action: 1, fields: [] },
).chain(({ action, fields }) =>
  fc.tuple(
    fc.constant(action),
    fc.tuple(...fields.map(({ kind }) => FIELD_VALUES[kind])),
    fc.option(fc.nat({ max: fields.length }), { freq: 4 }),
  ).map(([action, values, renamed]) => ({
    action,
    ...Object.fromEntries(
      fields.map(({ name }, index) => [
        index === renamed ? "extra" : name,
        values[index],
      ]),
    ),
    ...(renamed === fields.length ? { extra: null } : {}),
  }))
);

Deno.test("admitProposal() and the strict union always agree", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(NEAR_ACTION, (value) => {
      const text = JSON.stringify(value);
      if (encoder.encode(text).length > 2_048 || /\\ud[89a-f]/.test(text)) {
        return;
      }
      const admission = admit(text);
      const key = admission.ok ? admission.action.action : admission.error;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      const parsed = ACTION_SCHEMA.safeParse(JSON.parse(text));
      assert.equal(admission.ok, parsed.success, text);
      if (admission.ok) assert.deepEqual(admission.action, parsed.data);
    }),
    { numRuns: 4_000, seed: 16 },
  );
  // Each action and each of the contract's codes was met, or this says nothing.
  for (
    const key of [...ACTION_NAMES, ...Object.keys(PROPOSAL_DENIALS).slice(5)]
  ) {
    assert(seen.has(key), `${key} never met: ${JSON.stringify([...seen])}`);
  }
});

Deno.test("admitProposal() never throws and keeps messages short and safe", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 400 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        anyText.map((text) => encoder.encode(JSON.stringify({ action: text }))),
        fc.tuple(
          fc.constantFrom(...ACTION_NAMES),
          fc.array(anyText, { maxLength: 4 }),
        )
          .map(([action, keys]) =>
            encoder.encode(JSON.stringify(
              Object.fromEntries([
                ["action", action],
                ...keys.map((key) => [key, 1]),
              ]),
            ))
          ),
        fc.tuple(anyText, anyText, anyText).map((values) =>
          encoder.encode(replacement({
            function: JSON.stringify(values[0]),
            old: JSON.stringify(values[1]),
            version: JSON.stringify(values[2]),
          }))
        ),
      ),
      (bytes) => {
        const admission = admitProposal(bytes);
        if (admission.ok) return;
        assert(admission.error in PROPOSAL_DENIALS);
        assert(encoder.encode(admission.message).length <= 256);
        assert.doesNotMatch(admission.message, /[\p{C}\p{Zl}\p{Zp}]/u);
      },
    ),
    { numRuns: 2_000 },
  );
});
