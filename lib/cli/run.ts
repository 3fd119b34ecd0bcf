// `tinycoder --run DIR`: one run, supervised from here to its end.

import baseline from "../../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../agent/json.ts";
import type { Source } from "../agent/source.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { supervise } from "../supervisor/supervise.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { createFreshFolder, planFreshFolder } from "../system/fresh_folder.ts";
import { giveUp, NO_RIGHTS } from "../system/permissions.ts";
import { runtimeFacts } from "../system/runtime_facts.ts";
import type { Invocation } from "./command.ts";
import { controllerError } from "./controller_error.ts";
import type { ControllerStart } from "./controller_thread.ts";
import { progressPrinter } from "./progress.ts";
import { runSummary } from "./run_summary.ts";
import { onSignal } from "./signals.ts";
import { openStdioChannel } from "./stdio_channel.ts";
import type { Terminal } from "./terminal.ts";

/** Conducts one run with a scripted source or the caller's own program. */
export async function run(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = options["run"];
  if (typeof typed !== "string") throw new TypeError("A run needs its folder");
  const stdio = options["source"] === "stdio";
  const planned = planFreshFolder(diskFiles, typed, "run folder");
  const runtime = runtimeFacts();
  createFreshFolder(diskFiles, planned, "run folder");
  giveUp("sys");

  const start: ControllerStart = {
    folder: planned.path,
    declared: {
      source: stdio ? "stdio" : "scripted",
      coreTrial: false,
      extension: null,
      authority: {
        opt_in: "command",
        covers: "edits to the two expressions of toy_math.py in this run's " +
          "own folder, and nothing else",
      },
      runtime,
      model: null,
    },
  };
  const cancel = new AbortController();
  const listening = onSignal(() => cancel.abort());
  const channel = stdio ? openStdioChannel(() => cancel.abort()) : null;
  const source: Source = channel?.source ?? scriptedSource(baseline);
  const report = options["quiet"] ? null : progressPrinter(terminal);
  const end = await supervise({
    controller: {
      url: new URL("../../worker/controller.ts", import.meta.url),
      permissions: {
        ...NO_RIGHTS,
        read: [planned.path],
        write: [planned.path],
      },
      start,
    },
    source,
    cancel: cancel.signal,
    onRecord: (record) => {
      report?.(record);
      channel?.onRecord(record);
    },
  });
  listening.stop();
  if (end.kind === "failed") throw controllerError(end.failure, typed);
  if (channel !== null) await channel.source.sendFinal(end.final);
  else if (options["json"]) terminal.out(`${JSON.stringify(end.final)}\n`);
  else terminal.out(runSummary(end.final, typed, terminal.outColor));
  return exitCode(end.final, options["requireSuccess"] === true);
}

function exitCode(final: JsonObject, requireSuccess: boolean): ExitCode {
  if (final["stop_reason"] === "harness_error") return EXIT.harness;
  if (final["stop_reason"] === "cancelled") return EXIT.cancelled;
  return requireSuccess && final["verified_success"] !== true
    ? EXIT.unsuccessful
    : EXIT.done;
}
