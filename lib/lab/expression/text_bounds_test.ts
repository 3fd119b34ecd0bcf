import assert from "node:assert/strict";
import { refuseTextBounds } from "./text_bounds.ts";

Deno.test("refuseTextBounds() takes 1 to 256 bytes of printable ASCII", () => {
  for (const text of ["x", " ", "~", "x".repeat(256), "not an expression"]) {
    assert.equal(refuseTextBounds(text), null);
  }
});

Deno.test("refuseTextBounds() refuses an empty text and the 257th byte", () => {
  assert.deepEqual(refuseTextBounds(""), {
    ok: false,
    code: "expression_bounds",
    message: "The expression is empty",
    offset: 0,
  });
  assert.deepEqual(refuseTextBounds("x".repeat(257)), {
    ok: false,
    code: "expression_bounds",
    message: "The expression has 257 bytes; at most 256 are allowed",
    offset: 256,
  });
});

Deno.test("refuseTextBounds() refuses every other character at its place", () => {
  const others = [
    "\0",
    "\t",
    "\n",
    "\r",
    "\x1f",
    "\x7f",
    "\x80",
    "é",
    "\u2028",
  ];
  for (const other of [...others, "\u{1f600}", "\ud800", "\ufeff"]) {
    assert.deepEqual(refuseTextBounds(`x${other}`), {
      ok: false,
      code: "expression_bounds",
      message: "The expression must be printable ASCII on one line",
      offset: 1,
    });
  }
});
