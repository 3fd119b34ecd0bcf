// The main thread's part of a run: it owns the deadlines, the source and the
// controller's worker, and edits nothing. One function over one run's
// specification; nothing outlives it.

import type { MonotonicMs, StopWord } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import type {
  Attempt,
  AttemptFailure,
  Loaded,
  Source,
} from "../agent/source.ts";
import { threadClock } from "../system/clock.ts";
import { CALL_MS, DeadlineGate, RUN_MS } from "./deadline_gate.ts";
import type {
  ControllerFailure,
  FromController,
  ToController,
} from "./messages.ts";
import { StopWordCell } from "./stop_word_cell.ts";

/** How long a controller may take to seal its evidence, in milliseconds. */
const SEAL_MS = 10_000;

/** One run, as the supervisor is told of it. */
export interface SupervisedRun<Start> {
  /** The controller's entry module, and the only room that it has. */
  readonly controller: {
    readonly url: URL;
    readonly permissions: Deno.PermissionOptionsObject;
    readonly start: Start;
  };
  readonly source: Source;
  /** Aborting it cancels the run. */
  readonly cancel: AbortSignal;
  /** Told of each record after it was written. */
  readonly onRecord?: (record: JsonObject) => void;
  /** In milliseconds; the lab's ten minutes if absent. */
  readonly runMs?: number;
  /** In milliseconds; the lab's 120 seconds if absent. */
  readonly callMs?: number;
}

/** What became of a run. */
export type SupervisedEnd =
  | { readonly kind: "ended"; readonly final: JsonObject }
  | { readonly kind: "failed"; readonly failure: ControllerFailure };

/** Supervises one run to its end. */
export function supervise<Start>(
  run: SupervisedRun<Start>,
): Promise<SupervisedEnd> {
  const clock = threadClock();
  const callMs = run.callMs ?? CALL_MS;
  const runDeadline = (clock.now() + (run.runMs ?? RUN_MS)) as MonotonicMs;
  const cell = new StopWordCell();
  const gate = new DeadlineGate(cell, clock, { runDeadline, callMs });
  const worker = new Worker(run.controller.url, {
    type: "module",
    name: "controller",
    deno: { permissions: run.controller.permissions },
  } as WorkerOptions);
  const post = (message: ToController<Start>) => worker.postMessage(message);

  return new Promise((resolve) => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const at = (when: number, act: () => void) => {
      const timer = setTimeout(act, Math.max(0, when - clock.now()));
      timers.add(timer);
      return timer;
    };
    const stopped = Promise.withResolvers<StopWord>();
    let sealing = false;
    const stop = (word: StopWord) => {
      stopped.resolve(cell.set(word));
      if (sealing) return;
      sealing = true;
      at(clock.now() + SEAL_MS, () =>
        end({
          kind: "failed",
          failure: {
            reason: "silent",
            message: "the controller did not seal its evidence in time",
          },
        }));
    };
    const cancel = () => stop("cancelled");
    const end = (what: SupervisedEnd) => {
      for (const timer of timers) clearTimeout(timer);
      run.cancel.removeEventListener("abort", cancel);
      worker.terminate();
      resolve(what);
    };

    at(runDeadline, () => stop("run_expired"));
    run.cancel.addEventListener("abort", cancel);
    if (run.cancel.aborted) cancel();

    // Whatever the source still says after a stop is not listened to.
    const answer = async <A extends Loaded | Attempt | number>(
      ask: () => Promise<A> | undefined,
      without: (failure: Unanswered) => A,
      deadlineMs?: number,
    ) => {
      const before = clock.now();
      const failed = (failed: AttemptFailure, detail?: string) =>
        without({
          failed,
          ...(detail === undefined ? {} : { detail }),
          elapsed_ms: Math.round((clock.now() - before) * 1_000) / 1_000,
        });
      const call = deadlineMs === undefined ? null : at(
        deadlineMs,
        () => stop(deadlineMs < runDeadline ? "call_expired" : "run_expired"),
      );
      const answered = await Promise.race([
        asked(ask).catch(() => failed("model_error", "The source threw")),
        stopped.promise.then((word) =>
          word === "cancelled" ? failed(word) : failed("time_limit", word)
        ),
      ]);
      if (call !== null) clearTimeout(call);
      post({ type: "answer", answer: answered });
    };

    worker.onmessage = ({ data }: MessageEvent<FromController>) => {
      switch (data.type) {
        case "hello":
          return post({
            type: "start",
            start: run.controller.start,
            abilities: {
              load: run.source.load !== undefined,
              countTokens: run.source.countTokens !== undefined,
            },
            word: cell.buffer,
            supervisorMs: clock.now(),
            runDeadlineMs: runDeadline,
            callMs,
          });
        case "record":
          return run.onRecord?.(data.record);
        case "load":
          return void answer<Loaded>(
            () => run.source.load?.(gate),
            (failure) => failure,
          );
        case "count_tokens":
          return void answer<number>(
            () => run.source.countTokens?.(data.messages),
            () => 0,
          );
        case "propose": {
          const { proposalNumber, messages, deadlineMs } = data;
          gate.beginCall();
          return void answer<Attempt>(
            () => run.source.propose({ proposalNumber, messages }, gate),
            (failure) => failure,
            deadlineMs,
          ).finally(() => gate.endCall());
        }
        case "ended":
          return end({ kind: "ended", final: data.final });
        case "failed":
          return end({ kind: "failed", failure: data.failure });
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end({
        kind: "failed",
        failure: { reason: "crashed", message: event.message },
      });
    };
  });
}

/** An attempt that brought nothing. */
interface Unanswered extends JsonObject {
  readonly failed: AttemptFailure;
  readonly detail?: string;
  readonly elapsed_ms: number;
}

async function asked<A>(ask: () => Promise<A> | undefined): Promise<A> {
  const answer = await ask();
  if (answer === undefined) throw new TypeError("The source can't do that");
  return answer;
}
