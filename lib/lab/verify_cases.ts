// Which cases of the final evaluation passed, by name: what a signed statement
// says of them.

import type { JsonObject } from "../agent/json.ts";
import type { Inspection, Witness, WitnessedEvent } from "../agent/witness.ts";
import { PUBLIC_CASES } from "./cases.ts";

/** Remembers the final evaluation's cases of one run. */
export class CaseWitness implements Witness {
  readonly folders: readonly string[] = [];
  readonly notes: readonly string[] = [];
  readonly passed: string[] = [];
  readonly failed: string[] = [];

  see({ event, content }: WitnessedEvent): null {
    if (event !== "final_evaluation") return null;
    const cases = content["cases"] as readonly JsonObject[];
    for (const [index, one] of cases.entries()) {
      const { function: name, inputs, expected, actual } = one;
      const kind = index < PUBLIC_CASES.length ? "public" : "held_out";
      const call = `${kind} ${name}(${(inputs as number[]).join(", ")})`;
      (actual === expected ? this.passed : this.failed).push(call);
    }
    return null;
  }

  look(): readonly Inspection[] {
    return [];
  }
}
