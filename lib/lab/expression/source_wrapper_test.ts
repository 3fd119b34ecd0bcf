import assert from "node:assert/strict";
import { admitExpression } from "./admit_expression.ts";
import type { FunctionName } from "./function_names.ts";
import { generateSource, readSource } from "./source_wrapper.ts";

/** Lab Part 3, byte for byte. */
const INITIAL = `def clamp(x, lo, hi):
    return x

def total(unit, qty, fee):
    return unit + qty + fee
`;

Deno.test("generateSource() writes the lab's initial file", () => {
  const written = generateSource({ clamp: "x", total: "unit + qty + fee" });
  assert.equal(written, INITIAL);
});

Deno.test("readSource() reads both expressions of what generateSource() writes", () => {
  for (
    const [clamp, total] of [
      ["x", "unit + qty + fee"],
      ["lo if x < lo else hi if x > hi else x", "unit * qty + fee"],
      [`x${" ".repeat(253)}+1`, `fee${" ".repeat(251)}+1`],
    ] as const
  ) {
    assert.deepEqual(read(generateSource({ clamp, total })), {
      ok: true,
      expressions: {
        clamp: admitted("clamp", clamp),
        total: admitted("total", total),
      },
    });
  }
});

Deno.test("readSource() refuses other line ends, a mark, and a missing or further line", () => {
  for (
    const [source, message, offset] of [
      ["", differs(0, "'d'", "the end"), 0],
      [
        `\ufeff${INITIAL}`,
        "The source begins with a byte order mark",
        0,
      ],
      [
        INITIAL.replaceAll("\n", "\r\n"),
        "The source has a carriage return at byte 21; " +
        "its lines end with a line feed alone",
        21,
      ],
      [INITIAL.slice(0, -1), differs(90, "a line feed", "the end"), 90],
      [`${INITIAL}\n`, "The source goes on after its last line", 91],
      [`${INITIAL}x = 1\n`, "The source goes on after its last line", 91],
      [`\n${INITIAL}`, differs(0, "'d'", "a line feed"), 0],
      [`import os\n${INITIAL}`, differs(0, "'d'", "'i'"), 0],
      [
        INITIAL.replace("\n\n", "\n"),
        differs(35, "a line feed", "'d'"),
        35,
      ],
      [
        INITIAL.replace("\n\n", "\n\n\n"),
        differs(36, "'d'", "a line feed"),
        36,
      ],
      [
        INITIAL.replace("    return x", "\treturn x"),
        differs(22, "' '", "the byte 0x09"),
        22,
      ],
      [
        INITIAL.replace("    return x", "    é\n    return x"),
        differs(26, "'r'", "the byte 0xc3"),
        26,
      ],
    ] as const
  ) {
    assert.deepEqual(read(source), {
      ok: false,
      code: "source_invalid",
      message,
      offset,
    });
  }
});

Deno.test("readSource() refuses everything around the expressions that isn't the lab's", () => {
  for (
    const [from, to] of [
      ["def clamp(x, lo, hi)", "def clamp(x, hi, lo)"],
      ["def clamp(x, lo, hi)", "def clamp(x,lo,hi)"],
      ["def clamp(x, lo, hi)", "def clamp(x, lo)"],
      ["def clamp(x, lo, hi)", "def clamp(x, lo, hi, *a)"],
      ["def clamp(x, lo, hi)", "def clamp(x, lo, *, hi)"],
      ["def clamp(x, lo, hi)", "def clamp(x, lo, hi=1)"],
      ["def clamp(x, lo, hi)", "def clamp(x: int, lo, hi)"],
      ["def clamp(x, lo, hi)", "def clamp[T](x, lo, hi)"],
      ["def clamp(x, lo, hi)", "def Clamp(x, lo, hi)"],
      ["def clamp(x, lo, hi):", "def clamp(x, lo, hi) -> int:"],
      ["def clamp(x, lo, hi):", "def clamp(x, lo, hi) :"],
      ["def clamp", "async def clamp"],
      ["def clamp", "@cache\ndef clamp"],
      ["    return x", "  return x"],
      ["    return x", '    """Text."""\n    return x'],
      ["    return x", "    return  x"],
      ["    return x", "    return"],
      ["    return x\n", "    return x\n    return x\n"],
      ["    return x", "    return x # x"],
      ["    return x", "    return x;"],
      ["    return x", "    return x "],
      ["    return x", "    return (x\n)"],
      ["def total", "class C: pass\n\ndef total"],
      ["def total", "def clamp"],
      ["def total(unit, qty, fee)", "def total(unit, fee, qty)"],
      ["return unit", "return \0unit"],
    ] as const
  ) {
    const source = INITIAL.replace(from, to);
    assert.notEqual(source, INITIAL);
    const reading = read(source);
    assert.ok(!reading.ok && reading.code === "source_invalid", source);
    assert.match(reading.message, /^[ -~]{1,256}$/);
  }
  const [clamp, total] = INITIAL.split("\n\n");
  assert.ok(!read(`${total}\n${clamp}\n`).ok);
});

Deno.test("readSource() names the function and the code of a refused expression", () => {
  assert.deepEqual(
    read(generateSource({ clamp: "x", total: "unit + exit(qty)" })),
    {
      ok: false,
      code: "source_invalid",
      message: 'The expression of "total" is refused ' +
        "(expression_forbidden_node): A call is not allowed; " +
        "use integers, unit, qty, fee, + - *, one comparison, if-else",
      offset: 81,
    },
  );
  for (
    const [clamp, code] of [
      ["", "expression_bounds"],
      ["x".repeat(257), "expression_bounds"],
      ["x +", "expression_syntax"],
      ["x if lo < hi else fee", "unknown_name"],
      ["x < lo", "expression_type"],
      ["-".repeat(16) + "x", "expression_limit"],
    ] as const
  ) {
    const reading = read(generateSource({ clamp, total: "unit" }));
    assert.ok(!reading.ok);
    assert.match(
      reading.message,
      new RegExp(`^The expression of "clamp" is refused \\(${code}\\): `),
    );
  }
});

Deno.test("readSource() looks at 4096 bytes, not at 4097", () => {
  const padded = (length: number): Uint8Array =>
    new TextEncoder().encode(INITIAL.padEnd(length, "#"));
  assert.deepEqual(readSource(padded(4_096)), {
    ok: false,
    code: "source_invalid",
    message: "The source goes on after its last line",
    offset: 91,
  });
  assert.deepEqual(readSource(padded(4_097)), {
    ok: false,
    code: "source_invalid",
    message: "The source has 4097 bytes; at most 4096 are allowed",
    offset: 4_096,
  });
});

Deno.test("readSource() refuses every change of one byte in the wrapper", () => {
  const original = new TextEncoder().encode(INITIAL);
  const expressions = [[33, 34], [74, 90]] as const;
  for (let at = 0; at < original.length; at++) {
    if (expressions.some(([from, to]) => at >= from && at < to)) continue;
    for (const byte of [0, 0x0a, 0x0d, 0x20, 0x41, 0xff]) {
      if (byte === original[at]) continue;
      const changed = original.slice();
      changed[at] = byte;
      assert.ok(!readSource(changed).ok, `byte ${at} as ${byte}`);
    }
    const shortened = [...original.slice(0, at), ...original.slice(at + 1)];
    assert.ok(!readSource(Uint8Array.from(shortened)).ok, `without ${at}`);
  }
});

function read(source: string): ReturnType<typeof readSource> {
  return readSource(new TextEncoder().encode(source));
}

function differs(at: number, expected: string, found: string): string {
  return `The source differs from the two fixed functions at byte ${at}: ` +
    `expected ${expected}, found ${found}`;
}

function admitted(functionName: FunctionName, text: string): unknown {
  const admission = admitExpression(functionName, text);
  assert.ok(admission.ok);
  return admission.expression;
}
