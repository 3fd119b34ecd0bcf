import assert from "node:assert/strict";
import { paint } from "./colors.ts";

Deno.test("paint() colours and resets, or leaves text as it is", () => {
  const all = ({ good, bad, dim, strong }: ReturnType<typeof paint>) => [
    good("a"),
    bad("a"),
    dim("a"),
    strong("a"),
  ];
  assert.deepEqual(all(paint(true)), [
    "\x1b[32ma\x1b[0m",
    "\x1b[31ma\x1b[0m",
    "\x1b[2ma\x1b[0m",
    "\x1b[1ma\x1b[0m",
  ]);
  assert.deepEqual(all(paint(false)), ["a", "a", "a", "a"]);
});
