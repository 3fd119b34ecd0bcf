// `tinycoder acquire`: shows what it would do, asks, and does it.

import { acquire as acquireFiles } from "../acquire/acquisition.ts";
import { acquisitionJson, acquisitionText } from "../acquire/end_text.ts";
import type { OptIn } from "../acquire/ledger_format.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import type { TransferProgress } from "../acquire/messages.ts";
import { isYes, optIn, optInText } from "../acquire/opt_in.ts";
import { filesText } from "../acquire/plan_text.ts";
import {
  prepareAcquisition,
  type PreparedAcquisition,
} from "../acquire/prepare.ts";
import { progressText, TransferRate } from "../acquire/progress_text.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { giveUpAncestorMarks } from "../system/permissions.ts";
import { machineResources } from "../system/resources.ts";
import { shellWord } from "../system/shell_word.ts";
import type { Invocation } from "./command.ts";
import { declaredPlan } from "./declared_plan.ts";
import { optionText, refusalError } from "./refusal_error.ts";
import { onSignal } from "./signals.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import { typedLine } from "./typed_line.ts";

/** Acquires a checkpoint into a model folder. */
export async function acquire(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const directory = optionText(options["directory"]);
  if (directory === null) {
    throw new CommandError(EXIT.usage, {
      what: "Cannot acquire",
      why: "no model folder was given",
      next: "Name a new one: tinycoder acquire --directory qwen",
    });
  }
  const declared = declaredPlan(diskFiles, optionText(options["checkpoint"]));
  if (!declared.ok) throw refusalError(declared.refusal);
  const made = prepareAcquisition({
    directory,
    from: optionText(options["from"]),
    plan: declared.plan,
    limits: LAB_LIMITS,
    files: diskFiles,
    resources: machineResources,
  });
  if (!made.ok) throw refusalError(made.refusal);
  giveUpAncestorMarks();
  const { prepared } = made;
  const answer = prepared.verified
    ? null
    : await ask(prepared, options["yes"] === true, terminal);

  const cancel = new AbortController();
  const listening = onSignal(() => cancel.abort());
  const progress = options["quiet"] ? null : progressPrinter(terminal);
  const end = await acquireFiles({
    prepared,
    optIn: answer,
    cancel: cancel.signal,
    onProgress: (step) => progress?.show(step),
  });
  progress?.end();
  listening.stop();
  const now = machineResources.bootFacts();
  const done = "What was acquired is kept; see it: tinycoder doctor " +
    `--model-directory ${shellWord(directory)}`;
  if (options["json"]) {
    const json = acquisitionJson(end, directory, now);
    tellDone(terminal, `${JSON.stringify(json)}\n`, done);
  }
  if (end.refusal !== null) throw refusalError(end.refusal);
  if (!options["json"] && end.ledger !== null) {
    tellDone(terminal, acquisitionText(end.ledger, directory, now), done);
  }
  return EXIT.done;
}

/** Shows what would be done and takes the answer. */
async function ask(
  prepared: PreparedAcquisition,
  saidYes: boolean,
  terminal: Terminal,
): Promise<OptIn> {
  const { plan } = prepared.request;
  const shown = `${filesText(plan)}\n${optInText(prepared)}`;
  terminal.note(`${shown}\n`);
  const wallMs = machineResources.bootFacts().wallMs;
  if (saidYes) {
    terminal.note("Answered by --yes.\n");
    return optIn(shown, "--yes", wallMs);
  }
  const what = `Cannot acquire into "${prepared.request.directory}"`;
  const refusal = (why: string, next: string): CommandError =>
    refusalError({ code: "opt_in_refused", what, why, next });
  if (!Deno.stdin.isTerminal()) {
    throw refusal(
      "nobody can be asked, since the input is not a terminal",
      "Read what is shown above, then add --yes",
    );
  }
  terminal.note('Type "yes" to begin: ');
  const typed = await typedLine({ what, next: "Nothing was made." }, terminal);
  if (isYes(typed)) return optIn(shown, "yes", wallMs);
  throw refusal("the answer was not yes", "Nothing was created or downloaded");
}

/** Time between two plain lines about one file, in milliseconds. */
const LINE_PERIOD_MS = 5_000;

/** Prints progress: in place on a terminal, else as a line now and then. */
function progressPrinter(
  terminal: Terminal,
): { show(progress: TransferProgress): void; end(): void } {
  const inPlace = Deno.stderr.isTerminal();
  const rate = new TransferRate();
  let printedMs = 0;
  let unfinished = false;
  return {
    show: (progress) => {
      const now = performance.now();
      rate.sample(now, progress.bytes);
      if (!inPlace && !progress.verified && now - printedMs < LINE_PERIOD_MS) {
        return;
      }
      printedMs = now;
      const line = progressText(progress, rate.bytesPerSecond());
      unfinished = inPlace && !progress.verified;
      terminal.note(
        inPlace ? `\r\x1b[K${line}${unfinished ? "" : "\n"}` : `${line}\n`,
      );
    },
    end: () => {
      if (unfinished) terminal.note("\n");
    },
  };
}
