import assert from "node:assert/strict";
import { errorCode, systemCode } from "./error_code.ts";

const DISK_QUOTA = Deno.build.os === "linux" ? 122 : 69;

/** An error with fields of its own. */
function failed(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields);
}

Deno.test("systemCode() names what the system answered, also where Deno has no name for it", () => {
  const quota = `Disk quota exceeded (os error ${DISK_QUOTA})`;
  const cases: readonly [unknown, string | null][] = [
    [failed("", { code: "EIO" }), "EIO"],
    [failed("", { code: "UNKNOWN", errno: -DISK_QUOTA }), "EDQUOT"],
    [failed(quota), "EDQUOT"],
    [failed(`${quota}: writefile '/a'`), "EDQUOT"],
    [failed("File too large (os error 27)"), "EFBIG"],
    [new Deno.errors.Interrupted("Interrupted (os error 4)"), "EINTR"],
    [failed("", { code: "UNKNOWN", errno: -61 }), "error 61"],
    [failed("No data available (os error 61)"), "error 61"],
    [failed("", { code: "UNKNOWN" }), "UNKNOWN"],
    [failed("", { code: 5 }), null],
    [failed("os error 5"), null],
    [new Deno.errors.NotCapable("Requires read access"), null],
    ["EIO", null],
    [null, null],
  ];
  assert.deepEqual(
    cases.map(([error]) => systemCode(error)),
    cases.map(([, code]) => code),
  );
});

Deno.test("errorCode() falls back to the error's name", () => {
  assert.equal(errorCode(failed("", { code: "EIO" })), "EIO");
  assert.equal(errorCode(failed("", { code: 5 })), "Error");
  assert.equal(errorCode(new RangeError()), "RangeError");
  assert.equal(errorCode("EIO"), "unknown");
});
