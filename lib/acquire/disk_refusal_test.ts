import assert from "node:assert/strict";
import { diskRefusal } from "./disk_refusal.ts";

Deno.test("diskRefusal() tells a full disk from a failed one, and shows no path", () => {
  const cases: readonly [Error, string][] = [
    [coded("ENOSPC"), "the disk is full. Make room"],
    [coded("ESHORT"), "the disk is full. Make room"],
    [coded("EDQUOT"), "the disk is full. Make room"],
    [coded("EIO"), "the disk failed. Mend that"],
    [coded("EROFS"), "the disk is read-only. Mend that"],
    [coded("ENOTTY"), "the system answered ENOTTY. Mend that"],
    [
      new Error('"a.part" was changed meanwhile\nsecond line'),
      'the disk refused it ("a.part" was changed meanwhile). Mend that',
    ],
  ];
  for (const [error, says] of cases) {
    const { code, what, why, next } = diskRefusal(error, "qwen");
    assert.deepEqual([code, `${what}: ${why}. ${next}`], [
      "disk_failed",
      `Cannot use the model folder "qwen": ${says}, then run the same command ` +
      "again",
    ]);
  }
});

function coded(code: string): Error {
  return Object.assign(new Error(`${code}: failed, open '/home/me/x'`), {
    code,
  });
}
