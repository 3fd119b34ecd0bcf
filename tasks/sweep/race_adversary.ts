// The other process of the race sweep: a program of its own that changes one
// entry of a run's folder, in a tight loop, while a run goes on.
//
// It reads lines of JSON: an attack begins it, anything else ends it. It says
// "ready", and after each attack what it did.

import * as fs from "node:fs";
import { createInterface } from "node:readline";
import process from "node:process";
import {
  type AttackKind,
  ATTACKS,
  type AttackWay,
  type Change,
} from "./race_attacks.ts";

/** What to do to a run. */
export interface Attack {
  /** The run's folder. */
  readonly run: string;
  /** The entry that is changed, below the run's folder; "" for the folder. */
  readonly target: string;
  readonly kind: AttackKind;
  /** From when the entry is first seen to the first change, in milliseconds. */
  readonly waitMs: number;
  /** How long a change stays, in milliseconds; null for good. */
  readonly stayMs: number | null;
  /** How often it is changed, at most. */
  readonly times: number;
  /** A folder of the adversary's own, on the same file system. */
  readonly aside: string;
}

/** What the adversary did. */
export interface Hits {
  /** Changes that took effect. */
  readonly hits: number;
  /** Wall time of the first of them, in milliseconds. */
  readonly firstMs: number | null;
  /** When something was changed, or changed back, for the last time. */
  readonly lastMs: number | null;
}

/** Turns of the loop between two looks at what the parent says. */
const TURNS = 50;

class Attacker {
  #done = false;
  #hits = 0;
  #firstMs: number | null = null;
  #lastMs: number | null = null;

  constructor(readonly attack: Attack) {}

  /** Changes the entry until it is told to rest, then undoes what it may. */
  async strike(): Promise<Hits> {
    const { run, target, kind, stayMs, times, aside } = this.attack;
    const path = target === "" ? run : `${run}/${target}`;
    const act: AttackWay = ATTACKS[kind];
    while (!this.#done && !exists(run)) await pause(1);
    await this.#until(() => act.creates === true || exists(path));
    const from = performance.now();
    const { waitMs } = this.attack;
    await this.#until(() => performance.now() - from >= waitMs);
    while (!this.#done && this.#hits < times) {
      const change = this.#attempt(() => act.change(path, aside));
      if (change === null) {
        await this.#until(() => true);
        continue;
      }
      this.#lastMs = Date.now();
      this.#firstMs ??= this.#lastMs;
      this.#hits++;
      if (stayMs === null) break;
      const since = performance.now();
      await this.#until(() => performance.now() - since >= stayMs);
      this.#attempt(() => (change.undo(), change));
      this.#lastMs = Date.now();
    }
    while (!this.#done) await pause(1);
    return { hits: this.#hits, firstMs: this.#firstMs, lastMs: this.#lastMs };
  }

  rest(): void {
    this.#done = true;
  }

  #attempt(act: () => Change | null): Change | null {
    try {
      return act();
    } catch {
      // The run was faster: the entry is gone, or another one is there.
      return null;
    }
  }

  /** Turns without a pause until something holds, or it is told to rest. */
  async #until(holds: () => boolean): Promise<void> {
    for (let turn = 1; !this.#done && !holds(); turn++) {
      if (turn % TURNS === 0) await new Promise((go) => setImmediate(go));
    }
    await new Promise((go) => setImmediate(go));
  }
}

function exists(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((go) => setTimeout(go, ms));
}

function say(what: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(what)}\n`));
}

if (import.meta.main) {
  let attacker: Attacker | null = null;
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (attacker !== null) return attacker.rest();
    attacker = new Attacker(JSON.parse(line));
    attacker.strike().then((hits) => {
      attacker = null;
      say(hits);
    });
  });
  say("ready");
}
