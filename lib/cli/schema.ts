// `tinycoder schema NAME`: JSON Schema of each evidence format, and of
// what a proposer sends and receives.

import { z } from "../system/zod.ts";
import type { EventCatalogue } from "../evidence/event_schemas.ts";
import {
  withLoopEvents,
  withRecoveryEvents,
} from "../evidence/event_schemas.ts";
import { comparisonSchema } from "../evidence/comparison_schema.ts";
import { finalSchema } from "../evidence/final_schema.ts";
import { manifestSchema } from "../evidence/manifest_schema.ts";
import {
  attestationSchema,
  statementSchema,
} from "../evidence/receipts/attestation_schema.ts";
import { auditRecordSchema } from "../evidence/record_schema.ts";
import { replaySchema } from "../evidence/replay_schema.ts";
import { runViewSchema } from "../evidence/run_view_schema.ts";
import { verificationSchema } from "../evidence/verification_schema.ts";
import { LAB_DERIVED, LAB_FACTS } from "../lab/lab_catalogue.ts";
import { LAB_FINAL_FIELDS } from "../lab/lab_final_fields.ts";
import { observationSchema } from "../lab/observation_schema.ts";
import { stdioSchema } from "../source/stdio_schema.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import type { Invocation } from "./command.ts";
import { SCHEMA_NAMES } from "./schema_names.ts";
import type { Terminal } from "./terminal.ts";

const CATALOGUE = withRecoveryEvents(
  withLoopEvents({ facts: LAB_FACTS, derived: LAB_DERIVED }),
);

// Only shown: a run is verified by what its records derive, not by this.
const labFinalSchema = finalSchema.extend(LAB_FINAL_FIELDS);

/** Every format that has a schema, by the name that is asked for. */
export const SCHEMAS: Readonly<
  Record<typeof SCHEMA_NAMES[number], () => z.ZodType>
> = {
  manifest: () => manifestSchema,
  record: () => auditRecordSchema,
  final: () => labFinalSchema,
  events: () => eventsSchema(CATALOGUE),
  verification: () => verificationSchema,
  replay: () => replaySchema,
  "run-view": () => runViewSchema,
  comparison: () => comparisonSchema,
  attestation: () => attestationSchema,
  statement: () => statementSchema,
  observation: () => observationSchema,
  stdio: () => stdioSchema(observationSchema, labFinalSchema),
};

/** Prints one format's JSON Schema. */
export function schema(
  { operands }: Invocation,
  terminal: Terminal,
): ExitCode {
  const name = SCHEMA_NAMES.find((one) => one === operands[0]);
  if (name === undefined) throw new TypeError("The name was checked before");
  const printed = z.toJSONSchema(SCHEMAS[name]());
  terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
  return EXIT.done;
}

/** `event`, `kind` and `content` of a record, for every event type. */
function eventsSchema({ facts, derived }: EventCatalogue): z.ZodType {
  const branch = (kind: string) => ([event, content]: [string, z.ZodType]) =>
    z.object({ event: z.literal(event), kind: z.literal(kind), content });
  const branches = [
    ...Object.entries(facts).map(branch("fact")),
    ...Object.entries(derived).map(branch("derived")),
  ];
  return z.union(branches);
}
