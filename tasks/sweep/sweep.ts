// deno-lint-ignore-file no-console -- a task speaks on the console
// What all sweeps have in common: many rounds, each in a fresh folder, counted by
// outcome; a folder in which something was wrong is kept and named.

import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { Outcomes } from "./outcomes.ts";
import { RandomNumbers } from "./random_numbers.ts";

/** One round of a sweep. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** Real path of a fresh folder, which is removed after the round. */
  readonly folder: string;
  readonly random: RandomNumbers;
}

/** What a sweep found. */
export interface Swept {
  readonly outcomes: Outcomes;
  /** What was wrong, and where it is kept. */
  readonly faults: readonly string[];
}

/** A sweep that has found so many faults ends. */
const MOST_FAULTS = 20;

/**
 * Plays `count` rounds, or fewer where SIGTERM ends it after one.
 *
 * @param seed Makes the choices repeatable; not when the system does what.
 * @param play Plays a round and names its outcome; throws where it is wrong.
 */
export async function sweep(
  count: number,
  seed: number,
  play: (round: Round) => Promise<string>,
): Promise<Swept> {
  const random = new RandomNumbers(seed);
  const outcomes = new Outcomes();
  const faults: string[] = [];
  let told = false;
  const end = () => told = true;
  Deno.addSignalListener("SIGTERM", end);
  for (let number = 1; number <= count && !told; number++) {
    using folder = freshFolder();
    try {
      outcomes.add(await play({ number, folder: folder.path, random }));
    } catch (error) {
      const kept = `${folder.path}-kept`;
      fs.cpSync(folder.path, kept, { recursive: true, verbatimSymlinks: true });
      faults.push(`Round ${number}, kept in ${kept}: ${wholeMessage(error)}`);
      if (faults.length === MOST_FAULTS) break;
    }
  }
  Deno.removeSignalListener("SIGTERM", end);
  return { outcomes, faults };
}

function wholeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause === undefined ? message : `${message}: ${wholeMessage(cause)}`;
}

/** Prints what a sweep found; the program then ends with 1 after a fault. */
export function tellSwept(title: string, { outcomes, faults }: Swept): void {
  console.log(`${title}\n${outcomes}${String(outcomes.total).padStart(6)}`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) Deno.exitCode = 1;
}
