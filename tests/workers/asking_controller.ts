// A controller without task or evidence: it asks what its start says, one after
// the other, and ends with the start that it got and the answers.

import type { Json } from "../../lib/agent/json.ts";
import type {
  FromController,
  ToController,
} from "../../lib/supervisor/messages.ts";

/** What such a controller is told. */
export interface Asking {
  readonly asks: readonly ("load" | "count_tokens" | "propose")[];
  /** Deadline of each proposal after its question, if not the run's, in ms. */
  readonly callMs?: number;
}

const say = (message: FromController) => self.postMessage(message);
const messages = [{ role: "user", content: "?" }] as const;
let next: (answer: Json) => void = () => {};

self.onmessage = async ({ data }: MessageEvent<ToController<Asking>>) => {
  if (data.type === "answer") return next(data.answer as Json);
  if (data.type === "greeting") return say({ type: "hello" });
  const { start, abilities, supervisorMs, runDeadlineMs } = data;
  const answers: Json[] = [];
  for (const [index, type] of start.asks.entries()) {
    const answered = new Promise<Json>((resolve) => next = resolve);
    if (type !== "propose") {
      say(type === "load" ? { type } : { type, messages });
    } else {
      const deadlineMs = start.callMs === undefined
        ? runDeadlineMs
        : supervisorMs + start.callMs;
      say({ type, proposalNumber: index + 1, messages, deadlineMs });
    }
    const { elapsed_ms: _, ...answer } = await answered as Record<string, Json>;
    answers.push(answer);
    say({ type: "record", record: { answered: index + 1 } });
  }
  const { runMs, callMs } = data;
  say({
    type: "ended",
    final: {
      answers,
      abilities: { ...abilities },
      runMs,
      callMs,
      word: new Int32Array(data.word)[0] ?? null,
    },
  });
};
