import assert from "node:assert/strict";
import { ModelRefusal } from "./model_refusal.ts";
import { reading } from "./readable_file.ts";

/** Does what throws this error. */
const failing = (error: Error) => () =>
  reading('"a.json"', () => {
    throw error;
  });

Deno.test("reading() tells what couldn't be read, and why", () => {
  assert.equal(reading('"a.json"', () => 5), 5);
  const disk = Object.assign(new Error("EIO: /a"), { code: "EIO" });
  assert.throws(failing(disk), (error) => {
    assert.ok(error instanceof ModelRefusal);
    assert.equal(error.message, '"a.json" can\'t be read: the disk failed');
    return true;
  });
});

Deno.test("reading() leaves what isn't the system's as it is", () => {
  for (const error of [new ModelRefusal("It is another"), new TypeError("x")]) {
    assert.throws(failing(error), (thrown) => thrown === error);
  }
});
