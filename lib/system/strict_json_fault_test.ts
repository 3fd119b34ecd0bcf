import assert from "node:assert/strict";
import { scanJson } from "./strict_json.ts";

function fault(text: string | Uint8Array): [offset: number, message: string] {
  const bytes = typeof text === "string"
    ? new TextEncoder().encode(text)
    : text;
  const scan = scanJson(bytes, { maxDepth: 8 });
  assert(!scan.ok);
  assert.equal(scan.error, "invalid_json");
  return [scan.offset, scan.message];
}

const ALONE = "send the JSON alone, with nothing before or after it";

Deno.test("describeSyntaxFault() names what surrounds the value", () => {
  const expected: [text: string, offset: number, message: string][] = [
    ["", 0, "No JSON: the text is empty or only spaces"],
    [" \n", 2, "No JSON: the text is empty or only spaces"],
    [
      '```json\n{"a":1}\n```',
      0,
      "Code fence at byte 0: send the JSON alone, without backticks around it",
    ],
    [
      '```{"a":1}```',
      0,
      "Code fence at byte 0: send the JSON alone, without backticks around it",
    ],
    [
      '{"a":1}\n```',
      8,
      "Code fence at byte 8: send the JSON alone, without backticks around it",
    ],
    [
      '<think>\n\n</think>\n{"a":1}',
      0,
      '"<think>" text at byte 0: send the JSON alone, without text before or after it',
    ],
    ['Sure! {"a":[1]}', 0, `Text before the JSON at byte 0: ${ALONE}`],
    ['\n- {"a":1}', 2, 'Expected a digit at byte 2, found " "'],
    ['* {"a":1}', 0, `Text before the JSON at byte 0: ${ALONE}`],
    ["Done.", 0, 'Expected one JSON value at byte 0, found "Done"'],
    ['{"a":1} It sets [x].', 8, `Text after the JSON at byte 8: ${ALONE}`],
    ['{"a":1}}', 7, `Text after the JSON at byte 7: ${ALONE}`],
    ['{"a":1}\n{"a":2}', 8, "Second value at byte 8: send exactly one"],
    ["\ufeff{}", 0, "Byte order mark at byte 0: JSON stands without one"],
    [
      '{"a":1}\0',
      7,
      "Control character U+0000 at byte 7: outside strings only space, tab " +
      "and line ends may stand",
    ],
    [
      "{}\u00a0",
      2,
      "Character U+00A0 at byte 2: JSON knows no spaces but space, tab and line ends",
    ],
  ];
  assert.deepEqual(
    expected.map(([text]) => [text, ...fault(text)]),
    expected,
  );
});

Deno.test("describeSyntaxFault() names other notations inside the value", () => {
  const expected: [text: string, offset: number, message: string][] = [
    [
      "{'a':1}",
      1,
      'Single quote at byte 1: JSON has only the double quote ", U+0022',
    ],
    [
      '{"a":“b”}',
      5,
      'Curly quote at byte 5: JSON has only the double quote ", U+0022',
    ],
    ['{"a":NaN}', 5, '"NaN" at byte 5: JSON numbers are finite'],
    ['{"a":-Infinity}', 6, '"Infinity" at byte 6: JSON numbers are finite'],
    ['{"a":True}', 5, '"True" at byte 5: JSON writes true, false and null'],
    ['{"a":None}', 5, '"None" at byte 5: JSON writes true, false and null'],
    ['{"a":nUll}', 5, '"nUll" at byte 5: JSON writes true, false and null'],
    ["[nope]", 1, 'Expected true, false or null at byte 1, found "nope"'],
    [
      '{"a":1,}',
      7,
      "Trailing comma before the bracket at byte 7: leave it out",
    ],
    ["[1, ]", 4, "Trailing comma before the bracket at byte 4: leave it out"],
    ['{"a":1 // one\n}', 7, "Comment at byte 7: JSON has none"],
    ['{/* a */"a":1}', 1, "Comment at byte 1: JSON has none"],
    ["[1 # one\n]", 3, "Comment at byte 3: JSON has none"],
    [
      '{"a":1\\n}',
      6,
      "Backslash outside a string at byte 6: escapes stand only between double quotes",
    ],
    [
      "[007]",
      1,
      "Number with a leading zero at byte 1: write it without",
    ],
    [
      "[+1]",
      1,
      "Number without a leading digit at byte 1: JSON numbers start with a " +
      "digit or a minus sign",
    ],
    [
      "{a:1}",
      1,
      'Key "a" without quotes at byte 1: keys stand in double quotes',
    ],
    ['{"a" 1}', 5, 'Expected ":" after the key at byte 5, found "1"'],
    ["[1 2]", 3, 'Expected "," or "]" at byte 3, found "2"'],
    ['{"a":1]', 6, 'Expected "," or "}" at byte 6, found "]"'],
    ['{"a":}', 5, 'Expected a value at byte 5, found "}"'],
    ["{{}}", 1, 'Expected a key in double quotes or "}" at byte 1, found "{"'],
    ['{"a":1,2}', 7, 'Expected a key in double quotes at byte 7, found "2"'],
    ["[1.]", 3, 'Expected a digit at byte 3, found "]"'],
  ];
  assert.deepEqual(
    expected.map(([text]) => [text, ...fault(text)]),
    expected,
  );
});

Deno.test("describeSyntaxFault() says that the text was cut off, wherever", () => {
  for (
    const text of [
      "{",
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      "[",
      "[tr",
      "-",
      "1.",
      "1e+",
    ]
  ) {
    assert.deepEqual(fault(text), [
      text.length,
      `Cut off: the text ends at byte ${text.length} before the JSON is complete`,
    ]);
  }
});

Deno.test("describeSyntaxFault() says that bytes are no UTF-8", () => {
  assert.deepEqual(fault(Uint8Array.of(0x7b, 0xff)), [
    1,
    "Byte 0xFF at byte 1: the text is not UTF-8",
  ]);
});
