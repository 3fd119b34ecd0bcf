// `tinycoder --run DIR`: one run, supervised from here to its end.

import baseline from "../../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../agent/json.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { supervise } from "../supervisor/supervise.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { createFreshFolder, planFreshFolder } from "../system/fresh_folder.ts";
import {
  controllerRights,
  giveUp,
  giveUpAncestorMarks,
  TELEMETRY_VARIABLE,
} from "../system/permissions.ts";
import { machineResources } from "../system/resources.ts";
import { runtimeFacts } from "../system/runtime_facts.ts";
import { shellWord } from "../system/shell_word.ts";
import { beginOrNothing } from "./begin_or_nothing.ts";
import type { Invocation } from "./command.ts";
import { controllerError, runRemains } from "./controller_error.ts";
import type { ControllerStart } from "./controller_thread.ts";
import type { RunDeclaration } from "./lab_manifest.ts";
import { modelProgress } from "./model_progress.ts";
import { printedJson } from "./printed_json.ts";
import { progressPrinter } from "./progress.ts";
import { runSummary } from "./run_summary.ts";
import { onSignal } from "./signals.ts";
import { openStdioChannel } from "./stdio_channel.ts";
import { RUN_COVERS } from "./run_covers.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import type { AgreedTrial } from "./trial.ts";

/** Conducts one run: scripted, with the caller's own program, or a trial. */
export async function run(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = options["run"];
  if (typeof typed !== "string") throw new TypeError("A run needs its folder");
  const planned = planFreshFolder(diskFiles, typed, "run folder");
  const runId = crypto.randomUUID();
  const trial = await agreedTrial(
    options,
    { id: runId, folder: typed },
    terminal,
  );
  const runtime = runtimeFacts();
  // Listened to first: no signal leaves a folder in which nothing is closed.
  const cancel = new AbortController();
  const listening = onSignal(() => cancel.abort());
  createFreshFolder(diskFiles, planned, "run folder");
  giveUpAncestorMarks();
  const quiet = options["quiet"] === true;
  const begun = trial === null ? undefined : beginOrNothing(
    () => trial.begin(quiet ? () => {} : modelProgress(terminal)),
    planned.path,
  );
  giveUp("sys", "ffi", "env");
  const stdio = options["source"] === "stdio"
    ? openStdioChannel((why) => cancel.abort(why))
    : null;
  const source = begun?.source ?? stdio?.source ?? scriptedSource(baseline);
  const start: ControllerStart = {
    folder: planned.path,
    runId,
    declared: {
      source: begun ? "model" : stdio ? "stdio" : "scripted",
      ...(begun?.declared ?? UNTRIED),
      runtime,
    },
  };
  // Loaded while the controller works, so that nobody waits for it.
  const verification = import("./verify.ts");
  const report = quiet ? null : progressPrinter(terminal);
  const end = await supervise({
    controller: {
      url: new URL("../../worker/controller.ts", import.meta.url),
      permissions: controllerRights(planned.path),
      start,
    },
    source,
    cancel: cancel.signal,
    onRecord: (record) => {
      report?.(record);
      stdio?.onRecord(record);
    },
    ...(begun === undefined ? {} : { runMs: begun.runMs }),
  });
  begun?.source.close();
  listening.stop();
  if (end.kind === "failed") {
    const remains = runRemains(diskFiles, planned.path);
    throw controllerError(end.failure, typed, remains);
  }
  const { ownVerdict, verifyFolder } = await verification;
  const verified = await verifyFolder(diskFiles, planned.path, typed);
  const verdict = ownVerdict(verified);
  const { holds } = verified;
  if (stdio !== null) await stdio.source.sendFinal(end.final, holds);
  else {
    const text = options["json"]
      ? printedJson({ ...end.final, evidence_holds: holds })
      : runSummary(end.final, typed, terminal.outColor, { verdict, holds });
    const see = `tinycoder show ${shellWord(typed)}`;
    tellDone(terminal, text, `The run is complete; see it: ${see}`);
  }
  const shown = stdio === null && !options["json"];
  if (!shown && !(quiet && holds)) terminal.note(`${verdict}\n`);
  return holds
    ? exitCode(end.final, options["requireSuccess"] === true)
    : EXIT.evidence;
}

/** What a run without a model declares. */
const UNTRIED: Omit<RunDeclaration, "source" | "runtime"> = {
  coreTrial: false,
  extension: null,
  authority: { opt_in: "command", covers: RUN_COVERS },
  model: null,
};

/** The trial that the options ask for, agreed to; null for another run. */
async function agreedTrial(
  options: Invocation["options"],
  run: { readonly id: string; readonly folder: string },
  terminal: Terminal,
): Promise<AgreedTrial | null> {
  const text = (name: string) => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  const modelDirectory = text("modelDirectory");
  if (modelDirectory === undefined) {
    const stray = ["checkpoint", "extension", "yes"].find((name) =>
      options[name] !== undefined
    );
    if (stray === undefined) return null;
    throw new CommandError(EXIT.usage, {
      what: `Cannot use --${stray}`,
      why: "it belongs to a trial, and there is no --model-directory",
      next: "See: tinycoder --help",
    });
  }
  if (options["source"] !== undefined) {
    throw new CommandError(EXIT.usage, {
      what: "Cannot use --source with --model-directory",
      why: "a trial's proposals come from the model",
      next: "See: tinycoder --help",
    });
  }
  // Before any thread starts: native code reads it from the environment.
  Deno.env.set(TELEMETRY_VARIABLE, "1");
  const { agreeToTrial } = await import("./trial.ts");
  return await agreeToTrial(
    { files: diskFiles, resources: machineResources },
    {
      modelDirectory,
      checkpoint: text("checkpoint"),
      extension: text("extension"),
      yes: options["yes"] === true,
    },
    run,
    terminal,
  );
}

function exitCode(final: JsonObject, requireSuccess: boolean): ExitCode {
  if (final["stop_reason"] === "harness_error") return EXIT.harness;
  if (final["stop_reason"] === "cancelled") return EXIT.cancelled;
  return requireSuccess && final["verified_success"] !== true
    ? EXIT.unsuccessful
    : EXIT.done;
}
