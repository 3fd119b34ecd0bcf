// What a verification comes to: what was checked and how many of each, and the
// first thing that differs. The order of the rows is the order of the checks;
// nothing after the first difference is claimed.

import type { JsonObject } from "../agent/json.ts";

/** Version of the verification's JSON. */
export const VERIFICATION_VERSION = 1;

/** How one kind of check ended. */
export type CheckState = "holds" | "fails" | "not_reached" | "none";

/** One row of the table. */
export interface CheckRow {
  readonly name: string;
  /** How many were checked; of a check that fails, how many held. */
  readonly checked: number;
  readonly state: CheckState;
}

/**
 * The cases of a discrepancy, for scripts. `unfinished`: there is no final
 * report. `unsigned`: there is no attestation. `other_key`: no signature is by
 * the key. `changed`: anything else that differs.
 */
export const DISCREPANCY_CODES = [
  "unfinished",
  "changed",
  "extra_file",
  "missing_file",
  "unsigned",
  "other_key",
] as const;

/** One of the cases of a discrepancy. */
export type DiscrepancyCode = typeof DISCREPANCY_CODES[number];

/** The first thing that differs. */
export interface Discrepancy {
  readonly code: DiscrepancyCode;
  /** The check that found it. */
  readonly check: string;
  /** A name below the run's folder. */
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number | null;
  /** Number of the event. */
  readonly event: number | null;
  /** Path of the field, such as `content.stop_reason`. */
  readonly field: string | null;
  /** One sentence without a full stop. */
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** What a verification comes to. */
export interface Verification {
  readonly runId: string | null;
  readonly holds: boolean;
  readonly checks: readonly CheckRow[];
  readonly discrepancy: Discrepancy | null;
  /** What a reader should know beside the verdict; a sentence each. */
  readonly notes: readonly string[];
  /** The final report, derived again; null where it doesn't hold. */
  readonly final: JsonObject | null;
}

/** A verification in the form of `verify --json`. */
export function verificationJson(verification: Verification): JsonObject {
  const { runId, holds, checks, discrepancy, notes, final } = verification;
  return {
    format: "tinycoder/verification",
    format_version: VERIFICATION_VERSION,
    run_id: runId,
    holds,
    checks: checks.map(({ name, checked, state }) => ({
      name,
      checked,
      state,
    })),
    discrepancy: discrepancy === null ? null : { ...discrepancy },
    notes: [...notes],
    source: final?.["source"] ?? null,
    core_trial: final?.["core_trial"] ?? null,
    extension: final?.["extension"] ?? null,
    recovered: final?.["recovered"] ?? null,
    stop_reason: final?.["stop_reason"] ?? null,
    verified_success: final?.["verified_success"] ?? null,
  };
}

/** Ends a verification at its first discrepancy. */
export class Refuted extends Error {
  override readonly name = "Refuted";
  readonly discrepancy: Discrepancy;

  constructor(discrepancy: Discrepancy) {
    super(discrepancy.message);
    this.discrepancy = discrepancy;
  }
}

/**
 * Where and how something differs; what is absent doesn't apply, and a code that
 * is absent is `changed`.
 */
export interface Difference extends Partial<Omit<Discrepancy, "check">> {
  readonly file: string;
  readonly message: string;
}

/** The table, while the checks are made. */
export class CheckList {
  readonly #rows: { name: string; checked: number; state: CheckState }[];

  constructor(names: readonly string[]) {
    this.#rows = names.map((name) => ({
      name,
      checked: 0,
      state: "not_reached",
    }));
  }

  get rows(): readonly CheckRow[] {
    return this.#rows;
  }

  /** Counts one more of a check that has held so far. */
  count(name: string, by = 1): void {
    this.#row(name).checked += by;
  }

  /** Closes a check that holds; with none to check it says so. */
  close(...names: readonly string[]): void {
    for (const name of names) {
      const row = this.#row(name);
      row.state = row.checked === 0 ? "none" : "holds";
    }
  }

  /** Ends the verification at its first discrepancy. */
  refute(name: string, difference: Difference): Refuted {
    this.#row(name).state = "fails";
    const { code = "changed", file, message } = difference;
    const { line = null, event = null, field = null } = difference;
    const { expected = null, found = null } = difference;
    return new Refuted({
      code,
      check: name,
      file,
      line,
      event,
      field,
      message,
      expected,
      found,
    });
  }

  #row(name: string): { name: string; checked: number; state: CheckState } {
    const known = this.#rows.find((row) => row.name === name);
    if (known !== undefined) return known;
    const row = { name, checked: 0, state: "not_reached" as CheckState };
    this.#rows.push(row);
    return row;
  }
}
