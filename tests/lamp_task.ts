// A task that is none of the lab's, to try the loop with: a lamp.

import type { JsonObject } from "../lib/agent/json.ts";
import type { Outcome, Task, Verdict } from "../lib/agent/task.ts";

/** What the lamp does: it is switched, or unplugged, which ends the run. */
export interface LampAction extends JsonObject {
  readonly turn: "on" | "off" | "unplug" | "smash";
}

/** The lamp's own terminal states. */
export type LampStop = "unplugged" | "too_long";

/**
 * A lamp. `on` and `off` count as valid where they change it and as neutral
 * where they don't; other words are refused; `smash` throws.
 */
export class LampTask implements Task<LampAction, LampStop> {
  readonly limits = { proposals: 6, invalid: 2 };
  /** What was done, in order. */
  readonly turned: string[] = [];
  /** Observations with their event ids, in order. */
  readonly remembered: (readonly [JsonObject, number])[] = [];
  /** Most input tokens of a request. */
  maxTokens = Infinity;

  async assemble(
    measure: Parameters<Task<LampAction, LampStop>["assemble"]>[0],
  ): ReturnType<Task<LampAction, LampStop>["assemble"]> {
    const messages = [{ role: "user", content: "Turn the lamp." }] as const;
    const count = await measure(messages);
    if (count !== null && "failed" in count) {
      return { stop: count.failed, detail: count.detail };
    }
    return count === null || count.tokens <= this.maxTokens
      ? { messages }
      : { stop: "too_long", detail: `${count.tokens} tokens` };
  }

  admit(proposal: Uint8Array): Verdict<LampAction, LampStop> {
    const turn = new TextDecoder().decode(proposal);
    return turn === "on" || turn === "off" || turn === "unplug" ||
        turn === "smash"
      ? { action: { turn } }
      : { refused: { observation: { ok: false }, counts: "invalid" } };
  }

  perform({ turn }: LampAction): Outcome<LampStop> {
    if (turn === "smash") throw new RangeError("/secret/path is broken");
    const changes = turn !== (this.turned.at(-1) ?? "off");
    this.turned.push(turn);
    const observation = { ok: true, turn };
    return turn === "unplug"
      ? { observation, counts: "valid", stop: "unplugged", detail: "no power" }
      : { observation, counts: changes ? "valid" : "neutral" };
  }

  remember(outcome: Outcome<LampStop>, eventId: number): void {
    this.remembered.push([outcome.observation, eventId]);
  }

  evaluate(stop: string): JsonObject {
    return { verified_success: stop === "unplugged" };
  }

  recover(): JsonObject {
    return { verified_success: false };
  }
}
