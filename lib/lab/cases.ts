// Lab Part 6: four public cases and eight that stay hidden from the agent.

import fixture from "../../fixtures/cases.json" with { type: "json" };
import type { FunctionName } from "./expression/function_names.ts";

/** One positional call and its expected value. */
export interface Case {
  readonly function: FunctionName;
  readonly inputs: readonly number[];
  readonly expected: number;
}

/** The cases that `test` shows. */
export const PUBLIC_CASES = fixture.public as readonly Case[];

/** The cases that only the final evaluation sees. */
export const HELD_OUT_CASES = fixture.held_out as readonly Case[];
