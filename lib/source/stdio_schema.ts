// Schema of the lines of the stdio protocol, both ways, for whoever writes a
// proposer. The reader of lines is stricter: it also looks at how a number is
// written, and at the length of a line.

import { z } from "../system/zod.ts";
import { PROTOCOL } from "./stdio_source.ts";

const proposal_number = z.int().positive();

/**
 * One line of the stdio protocol, from or to the program.
 *
 * @param observation Schema of the task's observations.
 * @param final Schema of the task's final report.
 */
export function stdioSchema(
  observation: z.ZodType,
  final: z.ZodType,
): z.ZodType {
  return z.union([
    z.discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("hello"),
        protocol: z.literal(PROTOCOL),
        tinycoder: z.string(),
      }),
      z.strictObject({
        type: z.literal("request"),
        proposal_number,
        call_deadline_ms: z.int().nonnegative(),
        messages: z.array(z.strictObject({
          role: z.enum(["system", "user"]),
          content: z.string(),
        })),
      }),
      z.strictObject({
        type: z.literal("observation"),
        proposal_number,
        observation,
      }),
      z.strictObject({
        type: z.literal("final"),
        evidence_holds: z.boolean(),
        final,
      }),
    ]).describe("From tinycoder, on its stdout"),
    z.union([
      z.strictObject({ proposal_number, proposal: z.string() }),
      z.strictObject({ proposal_number, proposal_base64: z.base64() }),
      z.strictObject({ cancel: z.literal(true) }),
    ]).describe("To tinycoder, on its stdin"),
  ]);
}
