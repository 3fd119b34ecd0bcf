// `tinycoder compare BASELINE TRIAL`: two runs side by side.

import { compareRuns, type Comparison } from "../evidence/comparison.ts";
import { comparisonJson } from "../evidence/comparison_json.ts";
import {
  comparisonReport,
  conditions,
} from "../evidence/report/comparison_report.ts";
import type { ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { type Paint, paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { printedJson } from "./printed_json.ts";
import { tellBroken } from "./tell_broken.ts";
import type { Terminal } from "./terminal.ts";
import { padded, PAGE_COLUMNS, wrapped } from "./text_layout.ts";
import { deliver } from "./written_result.ts";

const NAME = 18;
const VALUE = 29;

/**
 * Compares two runs: as text, as a page where `--out` is given, or as JSON
 * wherever it goes.
 */
export async function compare(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const [a = "", b = ""] = invocation.operands;
  const runs = [
    { view: await openCheckedView(diskFiles, a), folder: a },
    { view: await openCheckedView(diskFiles, b), folder: b },
  ] as const;
  const { out, json } = invocation.options;
  const views = [runs[0].view, runs[1].view] as const;
  const typed = runs.map(({ view, folder }) => ({ view, typed: folder }));
  const text = madeOfViews(typed, () => {
    const comparison = compareRuns(...views, LAB_WORDS);
    return json === true
      ? printedJson(comparisonJson(comparison, views, LAB_WORDS))
      : typeof out === "string"
      ? comparisonReport(comparison, runs, LAB_WORDS)
      : comparisonText(comparison, a, b, paint(terminal.outColor));
  });
  deliver(diskFiles, text, invocation, terminal);
  return tellBroken(typed, terminal);
}

/** A comparison as the text of a terminal. */
export function comparisonText(
  comparison: Comparison,
  a: string,
  b: string,
  colors: Paint,
): string {
  const lines = [
    ...columnLines(["", a, b]).map(colors.strong),
    ...comparison.groups.flatMap(({ title, rows }) => [
      "",
      colors.dim(title),
      ...rows.flatMap(({ name, values }) => columnLines([name, ...values])),
    ]),
    "",
    ...wrapped(showSafely(conditions(comparison)), PAGE_COLUMNS - 2)
      .map((line) => `  ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Three columns, each wrapped in its own width. */
function columnLines(texts: readonly [string, string, string]): string[] {
  const columns = texts.map((text, at) =>
    wrapped(showSafely(text), at === 0 ? NAME : VALUE)
  );
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const [name = "", first = "", second = ""] = columns.map((one) =>
      one[line] ?? ""
    );
    return `  ${padded(name, NAME + 1)}${padded(first, VALUE + 1)}${second}`
      .trimEnd();
  });
}
