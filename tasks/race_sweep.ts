// Another process changes the files of real runs in a tight loop while they go on;
// counts what becomes of them. No run may report a success over bytes that weren't
// evaluated.
//
// usage: deno run -A tasks/race_sweep.ts [COUNT] [SEED]

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tinycoder } from "../tests/launched.ts";
import { Outcomes } from "./sweep/outcomes.ts";
import type { Attack } from "./sweep/race_adversary.ts";
import {
  type AttackKind,
  ATTACKS,
  type AttackWay,
  CANARY,
} from "./sweep/race_attacks.ts";
import { judgeAttackedRun } from "./sweep/race_verdict.ts";
import type { RandomNumbers } from "./sweep/random_numbers.ts";
import { sweep, type Swept, tellSwept } from "./sweep/sweep.ts";
import { Adversary } from "./sweep/told_adversary.ts";
import { wholeBaseline } from "./sweep/whole_run.ts";
import { TaskUsage } from "./usage.ts";

/** What a race sweep found. */
export interface RaceSwept extends Swept {
  /** The runs that were changed before they ended, by the kind of change. */
  readonly touched: Outcomes;
}

const FOLDERS = ["", "workspace", "backups"] as const;
const FILES = [
  "workspace/toy_math.py",
  "workspace/TASK.txt",
  "backups/toy_math.py.v0",
  "backups/toy_math.py.v1",
  "audit.jsonl",
  "manifest.json",
  "final.json",
] as const;
/** Names that a run makes for a moment, or that it doesn't make at all. */
const FLEETING = [
  "workspace/.toy_math.py.v1.tmp",
  "workspace/.toy_math.py.v2.tmp",
  "manifest.json.part",
  "final.json.part",
  "workspace/stray.py",
  "recovery.jsonl",
] as const;

/**
 * Conducts `count` baselines against an adversary.
 *
 * @param seed Makes the choice of attacks repeatable.
 */
export async function raceSweep(
  count: number,
  seed: number,
): Promise<RaceSwept> {
  const { spans, versions } = await wholeBaseline();
  const touched = new Outcomes();
  await using adversary = await Adversary.start();
  const swept = await sweep(count, seed, async ({ folder, random }) => {
    const aside = `${folder}/aside`;
    fs.mkdirSync(aside);
    fs.writeFileSync(`${aside}/${CANARY}`, "untouched");
    const attack: Attack = {
      run: `${folder}/run`,
      aside,
      ...chooseAttack(random, spans["/"]),
    };
    try {
      adversary.begin(attack);
      const left = await tinycoder(
        folder,
        ["--run", "run", "--quiet", "--json"],
      );
      const endedMs = Date.now();
      const changed = await adversary.rest();
      if (changed.firstMs !== null && changed.firstMs < endedMs) {
        touched.add(attack.kind);
      }
      const harmless = attack.kind === "touch";
      const outcome = await judgeAttackedRun(
        { cwd: folder, left, changed, harmless, versions },
      );
      const canary = fs.readFileSync(`${aside}/${CANARY}`, "utf8");
      assert.equal(canary, "untouched", "A run wrote through a planted link");
      return outcome;
    } catch (cause) {
      const { kind, target, waitMs, stayMs, times } = attack;
      const what = JSON.stringify({ kind, target, waitMs, stayMs, times });
      throw new Error(`Attacked by ${what}`, { cause });
    }
  });
  return { ...swept, touched };
}

/** @param wholeMs How long an undisturbed run's folder is worked in. */
function chooseAttack(
  random: RandomNumbers,
  wholeMs: number,
): Omit<Attack, "run" | "aside"> {
  const target = random.pick([...FOLDERS, ...FILES, ...FILES, ...FLEETING]);
  const isFolder = FOLDERS.some((name) => name === target);
  const kinds = (Object.keys(ATTACKS) as AttackKind[]).filter((kind) => {
    const { to }: AttackWay = ATTACKS[kind];
    return to === "both" || !isFolder;
  });
  return {
    target,
    kind: random.pick(kinds),
    waitMs: random.chance(0.4) ? 0 : random.next() * wholeMs,
    stayMs: random.pick([0, 5 * random.next(), 20 * random.next(), null]),
    times: random.pick([1, 1, 3, 1_000_000]),
  };
}

if (import.meta.main) {
  const usage = new TaskUsage(import.meta.url);
  const [typedCount, typedSeed] = usage.operands(0, 2);
  const count = usage.whole("COUNT", typedCount, 200);
  const seed = usage.whole("SEED", typedSeed, 1, 0);
  const swept = await raceSweep(count, seed);
  const { total } = swept.outcomes;
  tellSwept(
    `${total} of ${count} runs against an adversary, seed ${seed}`,
    swept,
  );
  tellSwept("Changed before they ended, by kind", {
    outcomes: swept.touched,
    faults: [],
  });
}
