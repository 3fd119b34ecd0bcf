// deno-lint-ignore-file no-console -- a task speaks on the console
// What verification costs: against the run that it verifies, and with an audit
// that grows.

import { conductLargeRun, type LargeRun } from "../../tests/large_run.ts";
import { median, ms, ratio, row, spread } from "./figures.ts";
import { ROOT } from "../generated.ts";

/** Where and how often to measure. */
export interface VerificationBench {
  /** A fresh folder's real path. */
  readonly folder: string;
  readonly rounds: number;
  /** Wall time of the program with these arguments in that folder, in ms. */
  readonly time: (...args: string[]) => Promise<number>;
}

const MIB = 1_024 * 1_024;
/** As long as the lab's longest requests. */
const REQUEST_CHARACTERS = 4_000;

/** Measures, and prints. */
export async function verification(bench: VerificationBench): Promise<void> {
  await besideItsRun(bench);
  await withItsAudit(bench);
}

/** Whole processes, taking turns. */
async function besideItsRun(
  { rounds, time }: VerificationBench,
): Promise<void> {
  const runs: number[] = [];
  const verifications: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = `verified${round}`;
    const took = await time("--run", run, "--quiet");
    const verified = await time("verify", run);
    if (round === 0) continue; // a warm-up
    runs.push(took);
    verifications.push(verified);
  }
  console.log(`Verification, process start to exit (${rounds} each)`);
  row("the run, its own verification too", ms(median(runs)), spread(runs));
  row(
    "verify",
    ms(median(verifications)),
    `${spread(verifications)}, ${ratio(verifications, runs)}`,
  );
}

/** One process for each length of audit, three times in turn. */
async function withItsAudit({ folder }: VerificationBench): Promise<void> {
  const lengths = [MIB, 64 * MIB];
  const measured = new Map<number, Measured[]>();
  for (const bytes of lengths) {
    const run = `${folder}/audit${bytes}`;
    Deno.mkdirSync(run);
    await conductLargeRun(run, largeRun(bytes));
    measured.set(bytes, []);
  }
  for (let round = 0; round < 3; round++) {
    for (const bytes of lengths) {
      const run = `${folder}/audit${bytes}`;
      measured.get(bytes)?.push(await verifiedAside(run, largeRun(bytes)));
    }
  }
  console.log("\nVerification of a synthetic audit, in a process of its own");
  const peaks: number[] = [];
  for (const [bytes, all] of measured) {
    const length = Deno.statSync(`${folder}/audit${bytes}/audit.jsonl`).size;
    const took = median(all.map(({ elapsedMs }) => elapsedMs));
    const peak = median(all.map(({ peakBytes }) => peakBytes));
    peaks.push(peak);
    row(
      `${(length / MIB).toFixed(1)} MiB, ${all[0]?.records} records`,
      ms(took),
      `${(length / MIB / took * 1_000).toFixed(0)} MiB/s, ` +
        `at most ${(peak / MIB).toFixed(0)} MiB of memory`,
    );
  }
  const [small = NaN, large = NaN] = peaks;
  row("  growth of memory", `${((large - small) / MIB).toFixed(0)} MiB`, "");
}

/** A run whose audit has at least this many bytes, and few more. */
function largeRun(bytes: number): LargeRun {
  return {
    proposals: Math.round(bytes / (REQUEST_CHARACTERS + OTHER_BYTES)),
    requestCharacters: REQUEST_CHARACTERS,
  };
}

/** Bytes of a proposal's records beside its request. */
const OTHER_BYTES = 1_350;

/** What a process that verified one run says of itself. */
interface Measured {
  readonly records: number;
  readonly elapsedMs: number;
  readonly peakBytes: number;
}

async function verifiedAside(run: string, large: LargeRun): Promise<Measured> {
  const side = new URL("tasks/bench/verify_side.ts", ROOT).pathname;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--allow-all",
      side,
      run,
      `${large.proposals}`,
      `${large.requestCharacters}`,
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The synthetic run doesn't hold");
  return JSON.parse(new TextDecoder().decode(stdout));
}
