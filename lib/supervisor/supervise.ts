// The main thread's part of a run: it owns the deadlines, the source and the
// controller's worker, and edits nothing. One function over one run's
// specification; nothing outlives it.

import type { MonotonicMs, StopWord } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Source, Unanswered } from "../agent/source.ts";
import { threadClock } from "../system/clock.ts";
import { CALL_MS, DeadlineGate, RUN_MS } from "./deadline_gate.ts";
import {
  type Answer,
  type ControllerFailure,
  isFromController,
  type ToController,
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
  /** Aborting it cancels the run; a reason that is a text says why. */
  readonly cancel: AbortSignal;
  /** Told of each record after it was written. */
  readonly onRecord?: (record: JsonObject) => void;
  /** In milliseconds; the lab's ten minutes if absent. */
  readonly runMs?: number;
  /** In milliseconds; the lab's 120 seconds if absent. */
  readonly callMs?: number;
  /** From a stop to sealed evidence, in milliseconds; ten seconds if absent. */
  readonly sealMs?: number;
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
  const { runMs = RUN_MS, callMs = CALL_MS, sealMs = SEAL_MS } = run;
  const runDeadline = (clock.now() + runMs) as MonotonicMs;
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
      at(clock.now() + sealMs, () =>
        fail({
          reason: "silent",
          message: "the controller did not seal its evidence in time",
        }));
    };
    const cancel = () => stop("cancelled");
    const end = (what: SupervisedEnd) => {
      for (const timer of timers) clearTimeout(timer);
      run.cancel.removeEventListener("abort", cancel);
      worker.terminate();
      resolve(what);
    };
    const fail = (failure: ControllerFailure) =>
      end({ kind: "failed", failure });

    at(runDeadline, () => stop("run_expired"));
    run.cancel.addEventListener("abort", cancel);
    if (run.cancel.aborted) cancel();

    // After a stop the source is asked nothing, and not listened to.
    const answer = async (
      ask: () => Promise<Answer> | undefined,
      deadlineMs: number = runDeadline,
    ) => {
      const before = clock.now();
      const unanswered = (
        why: Pick<Unanswered, "failed" | "detail">,
      ): Unanswered => ({
        ...why,
        elapsed_ms: Math.round((clock.now() - before) * 1_000) / 1_000,
      });
      const stoppedBy = (word: StopWord) =>
        unanswered(
          word === "cancelled"
            ? { failed: "cancelled", ...cancelDetail(run.cancel) }
            : { failed: "time_limit", detail: word },
        );
      const early = cell.get();
      if (early !== null) {
        return post({ type: "answer", answer: stoppedBy(early) });
      }
      const timer = at(
        deadlineMs,
        () => stop(deadlineMs < runDeadline ? "call_expired" : "run_expired"),
      );
      const answered = await Promise.race([
        asked(ask).catch(() =>
          unanswered({ failed: "model_error", detail: "The source threw" })
        ),
        stopped.promise.then(stoppedBy),
      ]);
      clearTimeout(timer);
      post({ type: "answer", answer: answered });
    };

    let greeted = false;
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isFromController(data)) {
        return fail({
          reason: "crashed",
          message: "the controller said what no controller says",
        });
      }
      switch (data.type) {
        case "hello":
          greeted = true;
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
            runMs,
            callMs,
          });
        case "record":
          return run.onRecord?.(data.record);
        case "load":
          return void answer(() => run.source.load?.(gate));
        case "count_tokens":
          return void answer(() => run.source.countTokens?.(data.messages));
        case "propose": {
          const { proposalNumber, messages, deadlineMs } = data;
          gate.beginCall();
          return void answer(
            () => run.source.propose({ proposalNumber, messages }, gate),
            deadlineMs,
          ).finally(() => gate.endCall());
        }
        case "ended":
          return end({ kind: "ended", final: data.final });
        case "failed":
          return fail(data.failure);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // What Deno says of a thread that it can't load names its own files.
      const message = greeted
        ? event.message
        : "the controller's thread could not be loaded";
      fail({ reason: "crashed", message });
    };
    post({ type: "greeting" });
  });
}

/** Why a run was cancelled, where whoever did so said it. */
function cancelDetail({ reason }: AbortSignal): { detail?: string } {
  return typeof reason === "string" ? { detail: reason } : {};
}

async function asked(
  ask: () => Promise<Answer> | undefined,
): Promise<Answer> {
  const answer = await ask();
  if (answer === undefined) throw new TypeError("The source can't do that");
  return answer;
}
