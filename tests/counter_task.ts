// A task with nothing of the lab in it: a counter with two actions, one of which
// waits for something outside. What came from there is a fact, and only a fact.

import type { JsonObject } from "../lib/agent/json.ts";
import type { EventTable, Recorder } from "../lib/agent/recorder.ts";
import type { Message } from "../lib/agent/source.ts";
import type { Outcome, Task, Verdict } from "../lib/agent/task.ts";
import { withLoopEvents } from "../lib/evidence/event_schemas.ts";
import type { TaskEvidence } from "../lib/evidence/rederive.ts";
import { z } from "../lib/system/zod.ts";

/** `add` counts on by a given number, `roll` by one that the world tells. */
export type CounterAction =
  & JsonObject
  & ({ readonly do: "add"; readonly number: number } | { readonly do: "roll" });

/** Where a counter ends. */
export type CounterStop = "goal_reached";

interface CounterFacts extends EventTable {
  /** What the world answered to the roll that was begun. */
  rolled: { readonly number: number };
}

interface CounterDerived extends EventTable {
  /** Write-ahead: a roll is about to be asked for. */
  roll_begun: { readonly count: number };
  /** A roll that nobody will answer any more. */
  roll_dropped: { readonly count: number };
}

/** The counter's goal. */
export const GOAL = 10;

/** Counts to {@link GOAL}. */
export class CounterTask implements Task<CounterAction, CounterStop> {
  readonly limits = { proposals: 5, invalid: 2 };
  readonly #recorder: Recorder<CounterFacts, CounterDerived>;
  readonly #world: () => Promise<number>;
  #count = 0;
  #rolling = false;
  readonly #log: string[] = [];

  /** @param world Asked for a number, and slow to answer. */
  constructor(recorder: Recorder, world: () => Promise<number>) {
    this.#recorder = recorder as unknown as Recorder<
      CounterFacts,
      CounterDerived
    >;
    this.#world = world;
  }

  assemble(): Promise<{ messages: readonly Message[] }> {
    const content = `Count to ${GOAL}. So far:\n${this.#log.join("\n")}`;
    return Promise.resolve({ messages: [{ role: "user", content }] });
  }

  admit(proposal: Uint8Array): Verdict<CounterAction, CounterStop> {
    const said = new TextDecoder().decode(proposal);
    if (said === "roll") return { action: { do: "roll" } };
    const number = /^add ([1-9])$/.exec(said)?.[1];
    return number === undefined
      ? { refused: { observation: { ok: false }, counts: "invalid" } }
      : { action: { do: "add", number: Number(number) } };
  }

  async perform(action: CounterAction): Promise<Outcome<CounterStop>> {
    this.#count += action.do === "add" ? action.number : await this.#roll();
    const observation = { ok: true, count: this.#count };
    return this.#count < GOAL
      ? { observation, counts: "valid" }
      : { observation, counts: "valid", stop: "goal_reached" };
  }

  remember({ observation }: Outcome<CounterStop>, eventId: number): void {
    this.#log.push(`${eventId}: ${JSON.stringify(observation)}`);
  }

  evaluate(stop: string): JsonObject {
    const exact = stop === "goal_reached" && this.#count === GOAL;
    return { verified_success: exact, count: this.#count };
  }

  recover(): JsonObject {
    if (this.#rolling) {
      this.#recorder.derived("roll_dropped", { count: this.#count });
    }
    return { verified_success: false, count: this.#count };
  }

  async #roll(): Promise<number> {
    this.#recorder.derived("roll_begun", { count: this.#count });
    this.#rolling = true;
    const rolled = await this.#recorder.factLater(
      "rolled",
      "world",
      async () => ({ number: await this.#world() }),
    );
    if (rolled === null) throw new Error("The world didn't answer");
    this.#rolling = false;
    return rolled.number;
  }
}

const count = z.strictObject({ count: z.int().nonnegative() });

/** What evidence needs to know of the counter. */
export const counterEvidence: TaskEvidence = {
  name: "counter",
  catalogue: withLoopEvents({
    facts: { rolled: z.strictObject({ number: z.int() }) },
    derived: { roll_begun: count, roll_dropped: count },
  }),
  replay: (recorder) =>
    new CounterTask(recorder, () => {
      throw new Error("A replayed run asks no world");
    }) as unknown as Task<JsonObject, string>,
};
