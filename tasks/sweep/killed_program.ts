// A real run that is killed (SIGKILL) at a random instant. The killer counts its
// delay from what it sees the run make, so that all of a run is hit, and not
// mostly the start of the program.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { launch } from "../../tests/launched.ts";
import type { RandomNumbers } from "./random_numbers.ts";

/** A run that is started and killed. */
export interface Victim {
  /** The current folder. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** Name of the run's folder. */
  readonly run: string;
}

/** What a run makes, in this order, before its final report. */
const MARKS = ["", "/", "/audit.jsonl", "/workspace"] as const;

/** How long an undisturbed run goes on after each mark, in milliseconds. */
export type Spans = Readonly<Record<typeof MARKS[number], number>>;

/** What became of a victim. */
export interface Killed {
  /** Whether it died of it; it may have ended before. */
  readonly died: boolean;
  readonly code: number;
  /** When it was killed, in words. */
  readonly when: string;
  /** What it had said on stderr. */
  readonly err: string;
}

/**
 * Conducts the run undisturbed.
 *
 * @throws {assert.AssertionError} if it doesn't end well.
 */
export async function measureSpans(victim: Victim): Promise<Spans> {
  const started = new Started(victim);
  const seen = new Map<string, number>();
  for (const mark of [...MARKS, "/final.json"]) {
    await started.reach(mark);
    seen.set(mark, performance.now());
  }
  const { code, stderr } = await started.output;
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const ended = seen.get("/final.json") ?? 0;
  return Object.fromEntries(
    MARKS.map((mark) => [mark, ended - (seen.get(mark) ?? ended)]),
  ) as Spans;
}

/** Starts the run and kills it within one of its spans. */
export async function killAtRandom(
  victim: Victim,
  spans: Spans,
  random: RandomNumbers,
): Promise<Killed> {
  const mark = random.pick(MARKS);
  const delayMs = random.next() * spans[mark];
  const started = new Started(victim);
  await started.reach(mark);
  await started.goOn(delayMs);
  const { code, signal, stderr } = await started.kill();
  return {
    died: signal === "SIGKILL",
    code,
    when: `${delayMs.toFixed(2)} ms after "${mark}"`,
    err: new TextDecoder().decode(stderr),
  };
}

class Started {
  readonly output: Promise<Deno.CommandOutput>;
  ended = false;
  readonly #child: Deno.ChildProcess;
  readonly #folder: string;

  constructor({ cwd, args, run }: Victim) {
    this.#child = launch(cwd, args);
    this.#folder = `${cwd}/${run}`;
    this.output = this.#child.output();
    this.output.then(() => this.ended = true);
  }

  /** Waits until the run has made something, or has ended. */
  async reach(mark: string): Promise<void> {
    const path = `${this.#folder}${mark}`;
    while (mark !== "" && !this.ended && !fs.existsSync(path)) {
      await after(1);
    }
  }

  /** Lets it go on for so long, or to its end. */
  async goOn(delayMs: number): Promise<void> {
    const until = performance.now() + delayMs;
    const left = () => this.ended ? 0 : until - performance.now();
    while (left() > COARSE_MS) await after(1);
    // A timer's millisecond is too coarse: a whole edit takes five.
    while (left() > 0) await after(0);
  }

  async kill(): Promise<Deno.CommandOutput> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    return await this.output;
  }
}

/** Nearer to its instant than this, a killer waits without a timer. */
const COARSE_MS = 4;

/** Waits for so many milliseconds; with 0, for one turn of the event loop. */
function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}
