import assert from "node:assert/strict";
import { ArmedFaults, type Fault } from "./faults.ts";

const fault: Fault = {
  act: "fault",
  operation: "rename",
  file: "a",
  code: "EIO",
  times: 1,
  performed: false,
};

Deno.test("ArmedFaults fail the operation on the file that they name, as often as they say", () => {
  const faults = new ArmedFaults();
  let done = 0;
  const rename = (file: string) => faults.run("rename", file, () => ++done);
  assert.equal(rename("a"), 1);
  faults.arm({ ...fault, times: 2 });
  assert.equal(rename("b"), 2);
  assert.equal(faults.run("sync", "a", () => ++done), 3);
  assert.throws(() => rename("a"), { code: "EIO" });
  assert.throws(() => rename("a"), { code: "EIO" });
  assert.equal(rename("a"), 4);
});

Deno.test("ArmedFaults do what is performed, and fail all the same", () => {
  const faults = new ArmedFaults();
  faults.arm({ ...fault, performed: true });
  let done = 0;
  assert.throws(() => faults.run("rename", "a", () => ++done), { code: "EIO" });
  assert.equal(done, 1);
});

Deno.test("ArmedFaults know which of them nothing has met", () => {
  const faults = new ArmedFaults();
  const other = { ...fault, file: "b" };
  faults.arm(fault);
  faults.arm(other);
  assert.deepEqual(faults.take("rename", "a"), fault);
  assert.equal(faults.take("rename", "a"), null);
  assert.deepEqual(faults.unmet, [other]);
});
