// Schema of the lab task's observations, for whoever writes a proposer. Nothing
// is verified by it: the controller derives each observation again.

import { z } from "../system/zod.ts";
import { type DenialCode, DENIALS } from "./contract/denial_codes.ts";
import { caseResult, functionName, sha256, version } from "./lab_catalogue.ts";

const expressions = z.strictObject({ clamp: z.string(), total: z.string() });
const done = <Name extends string>(action: Name) => ({
  ok: z.literal(true),
  action: z.literal(action),
});
const read = { ...done("read"), version, sha256, content: z.string() };

/** What a proposer receives for a proposal (lab Part 5). */
export const observationSchema = z.union([
  z.strictObject({ ...read, file: z.literal("TASK.txt") }),
  z.strictObject({ ...read, file: z.literal("toy_math.py"), expressions }),
  z.strictObject({
    ...done("test"),
    version,
    sha256,
    passed: z.int().nonnegative(),
    total: z.int().nonnegative(),
    cases: z.array(caseResult),
  }),
  z.strictObject({
    ...done("replace"),
    status: z.enum(["edit_committed", "no_change"]),
    function: functionName,
    old_version: version,
    version,
    sha256,
    expressions,
  }),
  z.strictObject({
    ...done("finish"),
    status: z.literal("finish_accepted"),
    version,
    sha256,
  }),
  z.strictObject({
    ok: z.literal(false),
    /** Absent where the proposal names none. */
    action: z.enum(["read", "replace", "test", "finish"]).optional(),
    error: z.enum(Object.keys(DENIALS) as DenialCode[]),
    message: z.string(),
    version,
  }),
]);
