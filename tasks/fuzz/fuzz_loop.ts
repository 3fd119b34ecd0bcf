// The loop that is the same for every parser: an input by the grammar or a
// mutated one, the target's verdict, and what was new about it kept.
//
// New is an input whose kind of answer, as the target tells it, never came
// before, or (where V8's coverage is given) one that ran a block of the
// program's modules that never ran before.

import { Random } from "../../tests/expression_generator.ts";
import type { BlockCoverage, Look } from "./coverage.ts";
import type { FuzzTarget } from "./fuzz_target.ts";
import { minimise } from "./minimise.ts";
import { mutateBytes } from "./mutate_bytes.ts";

/** How long, and from which number, a target is fuzzed. */
export interface Fuzzing {
  readonly seed: number;
  /** Ends the loop once so many inputs were judged. */
  readonly executions?: number;
  /** Ends the loop after so many milliseconds. */
  readonly ms?: number;
  /** Ends the loop with so many findings; more are more of the same. */
  readonly mostFindings?: number;
  /** Most inputs that are tried to cut a finding down. */
  readonly tries?: number;
  readonly coverage?: BlockCoverage;
  /** Told each input before it is judged, so that a stall can be traced. */
  readonly watch?: (input: Uint8Array) => void;
  /** Told each finding once it is cut down. */
  readonly found?: (finding: FuzzFinding) => void;
  /** Told now and then how far the loop is. */
  readonly progress?: (report: FuzzReport) => void;
}

/** A rule that was broken, and the shortest input found that breaks it. */
export interface FuzzFinding {
  readonly message: string;
  readonly input: Uint8Array;
}

/** What a fuzzing came to. */
export interface FuzzReport {
  readonly executions: number;
  readonly ms: number;
  /** Inputs that were kept, seeds among them. */
  readonly corpus: number;
  /** Kinds of answers that came. */
  readonly kinds: number;
  readonly findings: readonly FuzzFinding[];
  /** Of the slowest input, the best of three times, in milliseconds. */
  readonly slowestMs: number;
  readonly slowest: Uint8Array;
}

/** Inputs that are judged between two looks at the coverage. */
const BATCH = 64;
const MOST_FINDINGS = 20;
/** Between two reports of progress, in milliseconds. */
const PROGRESS_MS = 30_000;

/** Fuzzes one target from its seeds. */
export async function fuzz(
  target: FuzzTarget,
  seeds: readonly Uint8Array[],
  fuzzing: Fuzzing,
): Promise<FuzzReport> {
  return await new Loop(target, fuzzing).run(seeds);
}

class Loop {
  readonly #target: FuzzTarget;
  readonly #fuzzing: Fuzzing;
  readonly #random: Random;
  readonly #corpus: Uint8Array[] = [];
  readonly #kinds = new Set<string>();
  readonly #findings = new Map<string, FuzzFinding>();
  readonly #start = performance.now();
  #batch: Uint8Array[] = [];
  #executions = 0;
  #slowestMs = 0;
  #slowest: Uint8Array = new Uint8Array();

  constructor(target: FuzzTarget, fuzzing: Fuzzing) {
    this.#target = target;
    this.#fuzzing = fuzzing;
    this.#random = new Random(fuzzing.seed);
  }

  async run(seeds: readonly Uint8Array[]): Promise<FuzzReport> {
    const {
      ms = Infinity,
      executions = Infinity,
      mostFindings = MOST_FINDINGS,
    } = this.#fuzzing;
    for (const seed of seeds) {
      await this.#take(seed);
      if (!this.#corpus.includes(seed)) this.#corpus.push(seed);
    }
    let reported = this.#start;
    while (this.#executions < executions) {
      const now = performance.now();
      if (now - this.#start >= ms || this.#findings.size >= mostFindings) break;
      if (now - reported >= PROGRESS_MS) {
        reported = now;
        this.#fuzzing.progress?.(this.#report());
      }
      await this.#take(this.#next());
    }
    return this.#report();
  }

  #report(): FuzzReport {
    return {
      executions: this.#executions,
      ms: performance.now() - this.#start,
      corpus: this.#corpus.length,
      kinds: this.#kinds.size,
      findings: [...this.#findings.values()],
      slowestMs: this.#slowestMs,
      slowest: this.#slowest,
    };
  }

  #next(): Uint8Array {
    const { generate, mutate, words, maxBytes } = this.#target;
    const random = this.#random;
    let input = this.#corpus.length === 0 || random.chance(25)
      ? generate(random)
      : this.#entry();
    if (mutate !== undefined && random.chance(50)) {
      input = mutate(input, random);
    } else if (random.chance(80)) {
      const other = this.#corpus.length === 0 ? input : this.#entry();
      input = mutateBytes(input, random, { words, other });
    }
    return input.slice(0, maxBytes);
  }

  /** One that was kept; late ones, which were harder to come by, more often. */
  #entry(): Uint8Array {
    const { length } = this.#corpus;
    const at = this.#random.below(length);
    return this.#corpus[
      this.#random.chance(30) ? Math.max(at, this.#random.below(length)) : at
    ]!;
  }

  async #take(input: Uint8Array): Promise<void> {
    this.#fuzzing.watch?.(input);
    this.#executions++;
    const start = performance.now();
    const kind = await this.#judge(input);
    const took = performance.now() - start;
    if (took > this.#slowestMs) await this.#takeSlow(input, took);
    if (kind !== null && !this.#kinds.has(kind)) {
      this.#kinds.add(kind);
      this.#corpus.push(input);
    }
    const { coverage } = this.#fuzzing;
    if (coverage === undefined || this.#batch.push(input) < BATCH) return;
    await this.#lookBack(coverage);
  }

  /** The kind of the answer; null where it broke a rule. */
  async #judge(input: Uint8Array): Promise<string | null> {
    try {
      const kind = this.#target.judge(input);
      return typeof kind === "string" ? kind : await kind;
    } catch (thrown) {
      const key = findingKey(thrown);
      if (!this.#findings.has(key)) {
        this.#findings.set(key, { message: key, input });
        const least = await minimise(
          input,
          (one) => this.#breaks(one, key),
          this.#fuzzing.tries,
        );
        const finding = { message: messageOf(thrown), input: least };
        this.#findings.set(key, finding);
        this.#fuzzing.found?.(finding);
      }
      return null;
    }
  }

  async #breaks(input: Uint8Array, key: string): Promise<boolean> {
    this.#fuzzing.watch?.(input);
    try {
      await this.#target.judge(input);
      return false;
    } catch (thrown) {
      return findingKey(thrown) === key;
    }
  }

  /** A slow answer may be the machine's doing; the best of three counts. */
  async #takeSlow(input: Uint8Array, took: number): Promise<void> {
    let best = took;
    for (let again = 0; again < 2 && best > this.#slowestMs; again++) {
      const start = performance.now();
      await this.#judge(input);
      best = Math.min(best, performance.now() - start);
    }
    if (best <= this.#slowestMs) return;
    this.#slowestMs = best;
    this.#slowest = input;
  }

  /** Finds out which inputs of the batch ran what had never run. */
  async #lookBack(coverage: BlockCoverage): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const all: Look = await coverage.look();
    if (coverage.fresh(all) === 0) return;
    await this.#narrow(batch, coverage);
    // Some code runs once and never again; it must not be looked for for ever.
    coverage.keep(all);
  }

  /** Halves a batch until each input that ran something new is alone. */
  async #narrow(
    batch: readonly Uint8Array[],
    coverage: BlockCoverage,
  ): Promise<void> {
    for (const input of batch) await this.#judge(input);
    const look = await coverage.look();
    if (coverage.fresh(look) === 0) return;
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      coverage.keep(look);
      if (!this.#corpus.includes(only)) this.#corpus.push(only);
      return;
    }
    const half = batch.length >> 1;
    await this.#narrow(batch.slice(0, half), coverage);
    await this.#narrow(batch.slice(half), coverage);
  }
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `Thrown: ${String(thrown)}`;
  return `${thrown.name}: ${thrown.message}`;
}

/** The same for findings of the same kind: without what is in the input. */
function findingKey(thrown: unknown): string {
  return messageOf(thrown).split("\n", 1)[0]!
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"…"').replaceAll(/\d+/g, "#")
    .slice(0, 100);
}
