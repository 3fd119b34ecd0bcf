// The controller's thread: ties its clock to the supervisor's, tries its walls,
// conducts the run, and says how it ended.

import type { MonotonicMs } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import { AuditFault } from "../evidence/audit_writer.ts";
import { DeadlineGate } from "../supervisor/deadline_gate.ts";
import type {
  ControllerFailure,
  FromController,
  ToController,
} from "../supervisor/messages.ts";
import { RelayedSource } from "../supervisor/relayed_source.ts";
import { StopWordCell } from "../supervisor/stop_word_cell.ts";
import { threadClock } from "../system/clock.ts";
import { errorCode, systemCode } from "../system/error_code.ts";
import { diskFiles } from "../system/files.ts";
import { labManifest, type RunDeclaration } from "./lab_manifest.ts";
import { conductLabRun } from "./lab_run.ts";
import { probeRoom } from "./probe_room.ts";

/** What the controller is told of its run. */
export interface ControllerStart {
  /** Real path of the run's folder. */
  readonly folder: string;
  readonly runId: string;
  readonly declared: RunDeclaration;
  /** For a replay: the earlier run's records. */
  readonly recorded?: readonly AuditRecord[];
}

/** The supervisor's end of a worker's channel, as the worker sees it. */
export interface ControllerChannel {
  onmessage:
    | ((event: MessageEvent<ToController<ControllerStart>>) => void)
    | null;
  postMessage(message: FromController): void;
}

/** Serves one run on this thread. */
export function serveController(channel: ControllerChannel): void {
  let helloMs = 0;
  let source: RelayedSource | null = null;
  channel.onmessage = ({ data }) => {
    if (data.type === "answer") return source?.answer(data);
    if (data.type === "greeting") {
      helloMs = performance.now();
      return channel.postMessage({ type: "hello" });
    }
    source = new RelayedSource(
      (message) => channel.postMessage(message),
      data.abilities,
    );
    // Half of the round trip is the best estimate of the answer's age.
    const now = performance.now();
    const originMs = data.supervisorMs - (helloMs + now) / 2;
    conduct(channel, source, data, originMs).then(
      (final) => channel.postMessage({ type: "ended", final }),
      (error) =>
        channel.postMessage({ type: "failed", failure: failureOf(error) }),
    );
  };
}

type Start = Extract<ToController<ControllerStart>, { type: "start" }>;

/** A wall that the runtime doesn't hold. */
class NotEnforced extends Error {}

async function conduct(
  channel: ControllerChannel,
  source: RelayedSource,
  { start, word, runDeadlineMs, runMs, callMs }: Start,
  originMs: number,
): Promise<JsonObject> {
  const { folder, runId, declared, recorded } = start;
  const clock = threadClock(originMs);
  const enforced = probeRoom(folder);
  const open = Object.keys(enforced).filter((wall) =>
    enforced[wall] !== "denied"
  );
  if (open.length > 0) {
    throw new NotEnforced(open.join(", "));
  }
  const manifest = labManifest(declared, {
    runId,
    created: clock.wallTime(),
    enforced,
    runMs,
    callMs,
  });
  return await conductLabRun({
    files: diskFiles,
    folder,
    manifest,
    source,
    gate: new DeadlineGate(new StopWordCell(word), clock, {
      runDeadline: runDeadlineMs as MonotonicMs,
      callMs,
    }),
    clock,
    notify: (record) => channel.postMessage({ type: "record", record }),
    ...(recorded === undefined ? {} : { recorded }),
  });
}

function failureOf(error: unknown): ControllerFailure {
  if (error instanceof NotEnforced) {
    return {
      reason: "not_enforced",
      message: `the runtime does not deny the controller: ${error.message}`,
    };
  }
  if (error instanceof AuditFault) {
    return { reason: "audit", message: error.message, code: error.code };
  }
  const code = systemCode(error);
  return code !== null
    ? { reason: "folder", message: "the run folder could not be written", code }
    : {
      reason: "crashed",
      message: `the controller met a ${errorCode(error)}`,
    };
}
