// `tinycoder replay RUN --run NEW`: today's controller is told what an earlier
// run was told, in a fresh folder, and the two are compared event by event.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt } from "../agent/source.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import {
  compareRuns,
  type ReplayComparison,
  type ReplayDivergence,
} from "../evidence/replay.ts";
import { REPLAY_VERSION } from "../evidence/replay_schema.ts";
import {
  type RecordedAttempt,
  recordedSource,
} from "../source/recorded_source.ts";
import { supervise } from "../supervisor/supervise.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { counted } from "../system/counted.ts";
import { diskFiles } from "../system/files.ts";
import { createFreshFolder, planFreshFolder } from "../system/fresh_folder.ts";
import {
  controllerRights,
  giveUp,
  giveUpAncestorMarks,
} from "../system/permissions.ts";
import { runtimeFacts } from "../system/runtime_facts.ts";
import { showSafely } from "../system/safe_text.ts";
import { shellWord } from "../system/shell_word.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { controllerError, runRemains } from "./controller_error.ts";
import type { ControllerStart } from "./controller_thread.ts";
import { existingRun } from "./existing_run.ts";
import { printedJson } from "./printed_json.ts";
import { readRecords, type ReadRun } from "./read_records.ts";
import { RUN_COVERS } from "./run_covers.ts";
import { onSignal } from "./signals.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import { quoteTyped } from "./quote_typed.ts";

/** Replays one run; exits with 4 at a divergence. */
export async function replay(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const typedNew = options["run"];
  if (typeof typedNew !== "string") {
    throw new TypeError("A replay needs a folder of its own");
  }
  const what = `Cannot replay the run ${quoteTyped(typed)}`;
  const folder = existingRun(diskFiles, typed);
  const original = readRecords(diskFiles, folder, what);
  const planned = planFreshFolder(diskFiles, typedNew, "run folder");
  const runtime = runtimeFacts();
  // Listened to first: no signal leaves a folder in which nothing is closed.
  const cancel = new AbortController();
  const listening = onSignal(() => cancel.abort());
  createFreshFolder(diskFiles, planned, "run folder");
  giveUp("sys");
  giveUpAncestorMarks();

  const end = await supervise({
    controller: {
      url: new URL("../../worker/controller.ts", import.meta.url),
      permissions: controllerRights(planned.path),
      start: startOf(original, planned.path, runtime),
    },
    source: recordedSource(attemptsOf(original.records)),
    cancel: cancel.signal,
  });
  listening.stop();
  if (end.kind === "failed") {
    const remains = runRemains(diskFiles, planned.path);
    throw controllerError(end.failure, typedNew, remains);
  }
  const fresh = readRecords(diskFiles, planned.path, what);
  const comparison = compareRuns(original.records, fresh.records);
  tellDone(
    terminal,
    options["json"]
      ? printedJson(comparisonJson(comparison, original, fresh))
      : comparisonText(comparison, terminal.outColor),
    `The replay is complete; see it: tinycoder show ${shellWord(typedNew)}`,
  );
  return comparison.divergence === null ? EXIT.done : EXIT.evidence;
}

function startOf(
  { manifest, records }: ReadRun,
  folder: string,
  runtime: JsonObject,
): ControllerStart {
  return {
    folder,
    runId: crypto.randomUUID(),
    declared: {
      source: "recorded",
      coreTrial: false,
      extension: `Replay of run ${manifest.run_id}`,
      authority: { opt_in: "command", covers: RUN_COVERS },
      runtime,
      model: null,
    },
    recorded: records,
  };
}

/** The attempts among a run's records. */
export function* attemptsOf(
  records: Iterable<AuditRecord>,
): Generator<RecordedAttempt, void> {
  for (const { event, proposal_number, content } of records) {
    if (event !== "proposal_received" || proposal_number === null) continue;
    yield { proposalNumber: proposal_number, attempt: content as Attempt };
  }
}

function comparisonJson(
  { agreed, recordedToEnd, divergence }: ReplayComparison,
  original: ReadRun,
  fresh: ReadRun,
): JsonObject {
  return {
    format: "tinycoder/replay",
    format_version: REPLAY_VERSION,
    recorded_run_id: original.manifest.run_id,
    fresh_run_id: fresh.manifest.run_id,
    agrees: divergence === null,
    events: agreed,
    recorded_to_end: recordedToEnd,
    divergence: divergence === null ? null : {
      kind: divergence.kind,
      event: divergence.event,
      proposal_number: divergence.proposalNumber,
      field: divergence.field,
      recorded: divergence.recorded,
      fresh: divergence.fresh,
    },
  };
}

/** A comparison as a few lines. */
export function comparisonText(
  { agreed, recordedToEnd, divergence }: ReplayComparison,
  color: boolean,
): string {
  const { strong, dim } = paint(color);
  const told = dim(
    "Told again: proposals, token counts, stop words, and what the files " +
      "were found to be.\nDone again: every check, decision, edit and " +
      "evaluation, in the new folder.\nNot looked at: final.json and " +
      "recovery.jsonl. tinycoder verify checks those.\n",
  );
  if (divergence !== null) {
    return told + divergenceText(divergence, color) +
      strong(`The replay differs after ${counted(agreed, "equal event")}.\n`);
  }
  const until = recordedToEnd ? "" : ", where the record ends";
  return told +
    strong(
      `The replay equals the record: ${counted(agreed, "event")}${until}.\n`,
    );
}

const KIND_WORDS: Readonly<Record<ReplayDivergence["kind"], string>> = {
  missing: "an event is missing from the replay",
  extra: "the replay has an event more",
  request: "another request",
  action: "another action",
  observation: "another observation",
  state: "another state",
  fact: "the replay was told something else",
};

function divergenceText(
  divergence: ReplayDivergence,
  color: boolean,
): string {
  const { good, bad } = paint(color);
  const { kind, event, proposalNumber, field, recorded, fresh } = divergence;
  const proposal = proposalNumber === null
    ? ""
    : `, proposal ${proposalNumber}`;
  return `First divergence: event ${event}${proposal}: ${KIND_WORDS[kind]}\n` +
    `  ${showSafely(field)}\n` +
    bad(`- ${showSafely(recorded)}\n`) +
    good(`+ ${showSafely(fresh)}\n`);
}
