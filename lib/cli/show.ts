// `tinycoder show RUN`: a run on one page of a terminal.

import type { JsonObject } from "../agent/json.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import { acquisitionWords } from "../evidence/acquisition_words.ts";
import { refusedCount } from "../evidence/comparison.ts";
import {
  cameToEnd,
  type ProposalView,
  type RunView,
} from "../evidence/run_view.ts";
import { runViewJson } from "../evidence/run_view_json.ts";
import { loopEventWords, sourceWords } from "../evidence/run_words.ts";
import type { TaskWords } from "../evidence/task_words.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { counted } from "../system/counted.ts";
import { diskFiles } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { shellWord } from "../system/shell_word.ts";
import { type Paint, paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { eventLines } from "./event_lines.ts";
import { fullProposalLines } from "./full_proposal.ts";
import { printedJson } from "./printed_json.ts";
import { columnNames, proposalLines } from "./proposal_lines.ts";
import { outcomeLines, proposalCounts, row, timesRow } from "./run_summary.ts";
import type { Terminal } from "./terminal.ts";

/** Shows a run, finished or not; exits with 4 where it doesn't fit together. */
export async function show(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const view = await openCheckedView(diskFiles, typed);
  const text = madeOfViews(
    [{ view, typed }],
    () =>
      options["json"]
        ? printedJson(runViewJson(view))
        : showText(view, typed, LAB_WORDS, {
          colors: paint(terminal.outColor),
          full: options["full"] === true,
        }),
  );
  terminal.out(text);
  return view.findings.length === 0 ? EXIT.done : EXIT.evidence;
}

/** How a run is shown. */
export interface ShowOptions {
  readonly colors: Paint;
  /** Whether prompts, raw output and observations are shown whole. */
  readonly full: boolean;
}

/** A run as the text of a terminal. */
export function showText(
  view: RunView,
  folder: string,
  words: TaskWords,
  { colors, full }: ShowOptions,
): string {
  const lines = [
    ...header(view, words, colors),
    "",
    ...view.opening.flatMap((record) => eventLines(record, words, colors)),
    ...view.proposals.length === 0
      ? ["   No proposal was asked for."]
      : [colors.dim(columnNames())],
    ...view.proposals.flatMap((proposal, at) => [
      ...proposalLines(proposal, words, colors),
      ...noteworthy(proposal, full)
        .flatMap((record) => eventLines(record, words, colors)),
      ...full
        ? fullProposalLines(proposal, view.proposals[at - 1], words, colors)
        : [],
    ]),
    ...view.closing.flatMap((record) => eventLines(record, words, colors)),
    "",
    ...outcomeLines(view, words, colors),
    ...failingCases(view, words),
    "",
    ...totals(view, folder),
    ...recoveryLines(view, folder, words, colors),
    ...findingLines(view, folder, colors),
  ];
  // Parts end with an empty line or begin with one; one is enough.
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

function header(view: RunView, words: TaskWords, colors: Paint): string[] {
  const { manifest } = view;
  const { runtime, extension, core_trial } = manifest;
  const facts = ["tinycoder", "deno", "os", "arch"]
    .map((name) => [name, runtime[name]] as const)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) =>
      name === "os" || name === "arch" ? value : `${name} ${value}`
    );
  const acquired = acquisitionWords(manifest.model);
  return [
    colors.strong(`Run ${showSafely(manifest.run_id)}`),
    row("Task", words.title),
    row("Proposals from", sourceWords(manifest.proposal_source)),
    ...manifest.model === null ? [] : [row("Model", modelText(manifest.model))],
    ...core_trial ? [row("Trial", "the core trial")] : [],
    ...acquired === null ? [] : [row("Acquisition", acquired)],
    ...extension === null ? [] : [row("Extension", extension)],
    row("When", manifest.created.replace("T", " ").replace(/\..*/, " UTC")),
    row("With", facts.join(", ")),
  ];
}

/** The model's identity as far as the manifest names one. */
function modelText(model: JsonObject): string {
  return ["repository", "label", "revision"]
    .map((name) => model[name])
    .filter((value) => typeof value === "string")
    .join(", ");
}

/** Events that a short view names too: what came from outside. */
function noteworthy(
  { records }: ProposalView,
  full: boolean,
): readonly AuditRecord[] {
  const told = new Set(["proposal_received", "tokens_counted"]);
  return records.filter(({ kind, event }) =>
    full || (kind === "fact" && !told.has(event)) ||
    event === "observations_omitted"
  );
}

function failingCases(view: RunView, words: TaskWords): string[] {
  return view.closing
    .filter(({ event }) => event === "final_evaluation")
    .flatMap(({ content }) => words.cases(content))
    .filter(({ passes }) => !passes)
    .map(({ kind, call, actual, expected }) =>
      row("", `✗ ${kind} ${call} is ${actual}, expected ${expected}`)
    );
}

function totals(view: RunView, folder: string): string[] {
  const { final, proposals, audit, recovery } = view;
  return [
    row(
      "Proposals",
      proposalCounts(
        proposals.length,
        final?.invalid_proposals ?? refusedCount(proposals),
        final?.model_calls ?? 0,
      ),
    ),
    ...final === null ? [] : [timesRow(final.elapsed_ms)],
    row(
      "Evidence",
      `${folder}/: ${counted(audit.count, "record")}, head ` +
        `${audit.head.slice(0, 16)}…` +
        (recovery === null
          ? ""
          : `; ${recovery.count - audit.count} more by recovery`),
    ),
    ...view.state === "unfinished"
      ? []
      : [row("", `Derive it again: tinycoder verify ${shellWord(folder)}`)],
  ];
}

function recoveryLines(
  view: RunView,
  folder: string,
  words: TaskWords,
  colors: Paint,
): string[] {
  if (view.state === "unfinished") {
    return [
      "",
      row(
        "Unfinished",
        (cameToEnd(view)
          ? "Its records came to their end, but there is no final report. " +
            "If it isn't still running: "
          : "It is still running, or its process died. If it died: ") +
          `tinycoder recover ${shellWord(folder)}`,
      ),
    ];
  }
  if (view.recovered.length === 0) return [];
  return [
    "",
    row(
      "Recovered",
      cameToEnd(view)
        ? "Its records had come to their end; recovery wrote:"
        : "Its process ended from outside, or died; recovery wrote:",
    ),
    ...view.recovered.filter(({ event }) => event !== "run_recovered")
      .flatMap((record) => {
        const text = words.event(record) ??
          loopEventWords(record.event, record.content);
        return text === null ? [] : [row("", `· ${text}`, colors.dim)];
      }),
  ];
}

function findingLines(
  { findings }: RunView,
  folder: string,
  colors: Paint,
): string[] {
  if (findings.length === 0) return [];
  return [
    "",
    ...findings.map(({ file, line, message }) =>
      row(
        "Doesn't hold",
        `${file}${line === null ? "" : `, line ${line}`}: ${message}`,
        colors.bad,
      )
    ),
    row(
      "",
      `What was read up to there is shown. See: tinycoder verify ${
        shellWord(folder)
      }`,
    ),
  ];
}
