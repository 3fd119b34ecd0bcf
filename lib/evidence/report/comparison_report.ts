// Two runs as one page.

import { shellWord } from "../../system/shell_word.ts";
import type { ComparedGroup, Comparison } from "../comparison.ts";
import type { RunView } from "../run_view.ts";
import type { TaskWords } from "../task_words.ts";
import { type Html, markup } from "./html.ts";
import { caseTable, finalCases, outcome } from "./outcome.ts";
import { page } from "./page.ts";
import { notices } from "./run_report.ts";
import { timeline } from "./timeline.ts";

/** One of the two runs. */
export interface ComparedRun {
  readonly view: RunView;
  /** Its folder as its reader would type it. */
  readonly folder: string;
}

/**
 * The report of a comparison.
 *
 * @returns A whole HTML document.
 */
export function comparisonReport(
  comparison: Comparison,
  runs: readonly [ComparedRun, ComparedRun],
  words: TaskWords,
): string {
  const [a, b] = runs;
  return page({
    title: `${a.folder} and ${b.folder}: tinycoder comparison`,
    contents: [
      { id: "side-by-side", name: "Side by side" },
      { id: "first", name: a.folder },
      { id: "second", name: b.folder },
    ],
    header: markup`<p class="kicker">tinycoder comparison</p>
<h1>${a.folder} and ${b.folder}</h1>
<p>${words.title}. ${conditions(comparison)}</p>
${runs.map(({ view, folder }) => notices(view, folder))}`,
    main: markup`<section aria-labelledby="side-by-side">
<h2 id="side-by-side">Side by side</h2>
${comparison.groups.map((group) => table(group, a.folder, b.folder))}
</section>
${run(a, "first", words)}
${run(b, "second", words)}`,
    footer: markup`<p>A view of two runs' folders, not the evidence itself. To
derive either again: <code>tinycoder verify ${shellWord(a.folder)}</code>,
<code>tinycoder verify ${shellWord(b.folder)}</code></p>`,
  });
}

/** Whether the two can be compared at all. */
export function conditions({ differingConditions }: Comparison): string {
  return differingConditions.length === 0
    ? "Both were made under the same instruction, contract, cases, harness, " +
      "limits and runtime."
    : `They were not made under the same conditions; different: ${
      differingConditions.join(", ")
    }.`;
}

function table({ title, rows }: ComparedGroup, a: string, b: string): Html {
  return markup`<table class="compared">
<caption>${title}</caption>
<thead><tr><th scope="col"><span class="hidden">What</span></th><th scope="col">${a}</th><th scope="col">${b}</th></tr></thead>
<tbody>
${
    rows.map(({ name, values: [first, second] }) =>
      markup`<tr><th scope="row">${name}</th><td>${first}</td><td>${second}</td></tr>
`
    )
  }</tbody>
</table>
`;
}

function run(
  { view, folder }: ComparedRun,
  id: string,
  words: TaskWords,
): Html {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${folder}</h2>
${outcome(view, words)}
${timeline(view, words, `${id}-`)}
${
    caseTable(finalCases(view, words), "Final evaluation") ??
      markup`<p>No case was evaluated.</p>`
  }
</section>
`;
}
