// Alters copies of runs and verifies each. A mutant that is accepted must be on
// the list of what no verifier can see without a signature.

import type { JsonObject } from "../lib/agent/json.ts";
import { verificationOf } from "../lib/cli/lab_verification.ts";
import { runSubjects } from "../lib/evidence/receipts/subjects.ts";
import { verifyRun } from "../lib/evidence/verify.ts";
import type { Verification } from "../lib/evidence/verify_report.ts";
import undetectable from "../fixtures/undetectable.json" with { type: "json" };
import { chainMutants } from "./chain_mutants.ts";
import { factMutants } from "./fact_mutants.ts";
import { MEMORY_FOLDER, memoryFiles, type RunFiles } from "./memory_files.ts";
import type { Forgery, Mutant } from "./mutants.ts";
import { rawMutants } from "./raw_mutants.ts";
import type { SweptRun } from "./swept_runs.ts";

/** One thing that only a signature shows. */
export interface Undetectable {
  readonly forgery: string;
  readonly file: string;
  readonly event: string;
  /** A pattern of fields; `*` stands for anything. */
  readonly field: string;
  readonly why: string;
}

/** The list of what only a signature shows. */
export const UNDETECTABLE: readonly Undetectable[] = undetectable.changes;

/** What a sweep came to. */
export interface Swept {
  /** Mutants by how much was made consistent. */
  readonly tried: Record<Forgery, number>;
  readonly refused: Record<Forgery, number>;
  /** Accepted, and on the list. */
  readonly listed: Map<Undetectable, number>;
  /** Accepted, and not on the list: each is a fault. */
  readonly unlisted: readonly string[];
  /** Accepted mutants whose files' digests a signature covers all the same. */
  readonly unsigned: readonly string[];
  /** What a verification threw instead of answering. */
  readonly thrown: readonly string[];
}

/**
 * Sweeps over runs.
 *
 * @param every Takes every nth mutant of each run and kind only.
 */
export async function sweep(
  runs: readonly SweptRun[],
  every: number,
): Promise<Swept> {
  const swept = {
    tried: { none: 0, chain: 0, facts: 0 },
    refused: { none: 0, chain: 0, facts: 0 },
    listed: new Map<Undetectable, number>(),
    unlisted: [] as string[],
    unsigned: [] as string[],
    thrown: [] as string[],
  };
  for (const { name, files } of runs) {
    const digests = subjectsOf(files);
    for (const mutant of everyNth(files, every)) {
      const altered = await mutant.make();
      const { odd } = mutant;
      if (altered === null || isSame(altered, files, odd)) continue;
      const { forgery, file, event, field, change } = mutant;
      const label = `${name}: ${forgery} ${file} ${event} ${field} ${change}`;
      swept.tried[forgery]++;
      let verification: Verification;
      try {
        verification = await verifyMutant(altered, odd);
      } catch (error) {
        swept.thrown.push(`${label}: ${error}`);
        continue;
      }
      if (!verification.holds) {
        swept.refused[forgery]++;
        continue;
      }
      const known = UNDETECTABLE.find((one) => covers(one, mutant));
      if (known === undefined) swept.unlisted.push(label);
      else swept.listed.set(known, (swept.listed.get(known) ?? 0) + 1);
      if (subjectsOf(altered) === digests) swept.unsigned.push(label);
    }
  }
  return swept;
}

/** Verifies one altered run. */
export function verifyMutant(
  files: RunFiles,
  odd?: Mutant["odd"],
): Promise<Verification> {
  const memory = memoryFiles(files, odd);
  return verifyRun({
    files: memory,
    folder: MEMORY_FOLDER,
    taskOf: verificationOf(memory, MEMORY_FOLDER),
  });
}

function* everyNth(
  run: RunFiles,
  every: number,
): Generator<Mutant, void> {
  for (const mutants of [rawMutants, chainMutants, factMutants]) {
    let index = 0;
    for (const mutant of mutants(run)) {
      if (index++ % every === 0) yield mutant;
    }
  }
}

/** Some alterations give the same bytes: reversing a list of one. */
function isSame(
  files: RunFiles,
  run: RunFiles,
  odd: Mutant["odd"],
): boolean {
  if (odd !== undefined || files.size !== run.size) return false;
  return [...files].every(([name, bytes]) => {
    const original = run.get(name);
    return original !== undefined && original.length === bytes.length &&
      original.every((byte, index) => byte === bytes[index]);
  });
}

function subjectsOf(files: RunFiles): string {
  return JSON.stringify(runSubjects(memoryFiles(files), MEMORY_FOLDER));
}

function covers(one: Undetectable, mutant: Mutant): boolean {
  return one.forgery === mutant.forgery && one.file === mutant.file &&
    (one.event === "*" || one.event === mutant.event) &&
    new RegExp(
      `^${one.field.split("*").map(RegExp.escape).join(".*")}$`,
    ).test(mutant.field);
}

/** A sweep's counts, as lines for a person. */
export function sweptText(
  { tried, refused, listed, unlisted, unsigned, thrown }: Swept,
): string {
  const rows = ([
    ["none", "altered and left so"],
    ["chain", "chained anew"],
    ["facts", "derived anew"],
  ] as const).map(([forgery, words]) =>
    `${words.padEnd(22)}${`${tried[forgery]}`.padStart(7)} mutants` +
    `${`${refused[forgery]}`.padStart(8)} refused` +
    `${`${tried[forgery] - refused[forgery]}`.padStart(8)} accepted\n`
  );
  const known = [...listed].map(([{ file, event, field }, count]) =>
    `  ${`${count}`.padStart(6)}  ${file} ${event} ${field}\n`
  );
  return `${rows.join("")}Accepted, and listed as undetectable:\n` +
    `${known.join("")}Accepted, and not listed: ${unlisted.length}\n` +
    unlisted.map((label) => `  ${label}\n`).join("") +
    `Not even a signature would show: ${unsigned.length}\n` +
    `Thrown: ${thrown.length}\n` +
    thrown.map((label) => `  ${label}\n`).join("");
}

/** Entries of the list that no mutant of a full sweep has shown. */
export function unshown({ listed }: Swept): readonly JsonObject[] {
  return UNDETECTABLE.filter((one) => !listed.has(one))
    .map((one) => ({ ...one }));
}
