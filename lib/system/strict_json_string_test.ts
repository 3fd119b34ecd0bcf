import assert from "node:assert/strict";
import { asciiText, scanString, utf8Length } from "./strict_json_string.ts";

const encoder = new TextEncoder();

function scan(text: string) {
  return scanString(encoder.encode(text), 0);
}

Deno.test("scanString() takes everything between the quotes as data", () => {
  const text = '```json {"a":[1]} ``` <think> // \' \u007f \ufeff é 中 😀';
  const bytes = encoder.encode(`${JSON.stringify(text)} "next"`);
  assert.deepEqual(scanString(bytes, 0), {
    text,
    at: encoder.encode(JSON.stringify(text)).length,
  });
});

Deno.test("scanString() unescapes each escape of RFC 8259", () => {
  assert.deepEqual(
    scan('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\uDE00\\u0000"'),
    {
      text: '"\\/\b\f\n\r\tA😀\0',
      at: 42,
    },
  );
});

Deno.test("scanString() reads runs of every length", () => {
  for (let length = 0; length <= 140; length++) {
    const text = "abcdefghij".repeat(14).slice(0, length);
    assert.deepEqual(scan(`"${text}"`), { text, at: length + 2 });
  }
});

Deno.test("scanString() names the fault and its byte", () => {
  const expected: [text: string, at: number, message: string][] = [
    ['"é\n"', 3, "Raw line feed in a string at byte 3: write it as \\n"],
    ['"\t"', 1, "Raw tab in a string at byte 1: write it as \\t"],
    ['"\0"', 1, "Raw NUL in a string at byte 1: write it as \\u0000"],
    [
      '"\x1b"',
      1,
      "Raw control character in a string at byte 1: write it as \\u001b",
    ],
    [
      '"a\\x"',
      2,
      'Unknown escape \\x at byte 2: JSON has \\" \\\\ \\/ \\b \\f \\n \\r \\t ' +
      "and \\u with four hexadecimal digits",
    ],
    [
      '"\\\n"',
      1,
      'Unknown escape at byte 1: JSON has \\" \\\\ \\/ \\b \\f \\n \\r \\t ' +
      "and \\u with four hexadecimal digits",
    ],
    [
      '"\\u12"',
      1,
      "Unfinished escape at byte 1: \\u needs four hexadecimal digits",
    ],
    [
      '"\\ud83d\\n"',
      1,
      "Lone surrogate \\ud83d at byte 1: it stands for no character, and no " +
      "UTF-8 text can hold it",
    ],
    [
      '"\\uDE00"',
      1,
      "Lone surrogate \\ude00 at byte 1: it stands for no character, and no " +
      "UTF-8 text can hold it",
    ],
    ['"abc', 4, "Cut off: the text ends at byte 4 inside a string"],
    ['"\\', 2, "Cut off: the text ends at byte 2 inside a string"],
    ['"\\u00', 5, "Cut off: the text ends at byte 5 inside a string"],
  ];
  assert.deepEqual(
    expected.map(([text]) => {
      const { at, ...rest } = scan(text);
      return [text, at, "message" in rest ? rest.message : "accepted"];
    }),
    expected,
  );
  assert.deepEqual(scanString(Uint8Array.of(0x22, 0xc0, 0x80, 0x22), 0), {
    message: "Byte 0xC0 at byte 1: the text is not UTF-8",
    at: 1,
  });
});

Deno.test("utf8Length() agrees with the platform on each lead and second byte", () => {
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  const decodes = (bytes: Uint8Array) => {
    const text = lenient.decode(bytes);
    return [...text].length === 1 && text !== "\ufffd";
  };
  for (let lead = 0; lead <= 0xff; lead++) {
    for (let second = 0; second <= 0xff; second++) {
      for (const rest of [[0x80, 0xbf], [0xbf, 0x7f], [0xc0, 0x80]]) {
        const bytes = Uint8Array.of(lead, second, ...rest);
        const expected = [1, 2, 3, 4].find((length) =>
          decodes(bytes.subarray(0, length))
        ) ?? 0;
        assert.equal(utf8Length(bytes, 0), expected, bytes.toHex());
      }
    }
  }
});

Deno.test("utf8Length() refuses a character that the end cuts off", () => {
  for (const bytes of [[0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98]]) {
    assert.equal(utf8Length(Uint8Array.from(bytes), 0), 0);
  }
});

Deno.test("asciiText() decodes a part of the bytes", () => {
  assert.equal(asciiText(encoder.encode("abcdefghijkl"), 2, 9), "cdefghi");
});
