// Lab Part 6: four public cases and eight that stay hidden from the agent.

import fixture from "../../fixtures/cases.json" with { type: "json" };
import type { Case } from "./expression/evaluate_cases.ts";

/** The cases that `test` shows. */
export const PUBLIC_CASES = fixture.public as readonly Case[];

/** The cases that only the final evaluation sees. */
export const HELD_OUT_CASES = fixture.held_out as readonly Case[];
