// Lab Part 9: how a run stopped, what passes, and whether that is a verified
// success are three separate facts; none is shown as following from another.

import type { JsonObject } from "../../agent/json.ts";
import { jsonWords } from "../../system/json_words.ts";
import type { RunView } from "../run_view.ts";
import { stopMore, stopWords } from "../run_words.ts";
import type { CaseLine, TaskWords } from "../task_words.ts";
import { type Html, markup } from "./html.ts";

/** The three facts at a glance. */
export function outcome(view: RunView, words: TaskWords): Html {
  return markup`
    <dl class="facts">
      <div><dt>How it stopped</dt>${stopped(view, words)}</div>
      <div><dt>What passes</dt>${passes(view, words)}</div>
      <div><dt>Verified success</dt>${verified(view)}</div>
    </dl>
  `;
}

function stopped({ stop, state }: RunView, words: TaskWords): Html {
  if (stop === null) {
    return markup`
      <dd class="headline">Not recorded</dd>
      <dd class="more">${
      state === "unfinished"
        ? "It is still running, or its process died."
        : "No record says how."
    }</dd>
    `;
  }
  const meaning = stopWords(stop.reason, stop.detail);
  const more = stopMore(stop.detail, words);
  return markup`<dd class="headline">${capital(meaning ?? stop.reason)}</dd>
<dd class="more"><code>${stop.reason}</code>${
    more === null ? null : markup`<br>${more}`
  }</dd>`;
}

function passes(view: RunView, words: TaskWords): Html {
  const { final, findings } = view;
  const scores = final === null
    ? []
    : words.scores(final as unknown as JsonObject);
  const scored = scores.flatMap(({ name, score }) =>
    score === null ? [] : [{ name, ...score }]
  );
  if (scored.length === 0) {
    return markup`<dd class="headline">Not evaluated</dd>
<dd class="more">Final evaluation: ${evaluationText(final, words)}.</dd>`;
  }
  const passed = scored.reduce((sum, one) => sum + one.passed, 0);
  const total = scored.reduce((sum, one) => sum + one.total, 0);
  return markup`<dd class="headline">${
    findings.length === 0 ? "" : "Claimed: "
  }${passed} of ${total} cases</dd>
<dd>${pips(finalCases(view, words))}</dd>
<dd class="more">${
    scored.map(({ name, ...one }) => `${one.passed} of ${one.total} ${name}`)
      .join(", ")
  }; final evaluation ${jsonWords(final?.["final_evaluation"])}.</dd>`;
}

/** Why nothing was evaluated. */
export function evaluationText(
  final: RunView["final"],
  words: TaskWords,
): string {
  const status = final?.["final_evaluation"];
  return typeof status === "string"
    ? words.evaluation(status)
    : "nothing is recorded";
}

/** One dot a case; the words beside them say the same. */
function pips(cases: readonly CaseLine[]): Html {
  const dots = cases.map(({ kind, passes }, at) =>
    markup`${
      at > 0 && cases[at - 1]?.kind !== kind
        ? markup`<li class="gap"></li>`
        : null
    }<li class="${passes ? "pass" : "fail"}"></li>`
  );
  return markup`<ul class="pips" aria-hidden="true">${dots}</ul>`;
}

function verified({ final, findings }: RunView): Html {
  if (final === null) {
    return markup`<dd class="headline">Not claimed</dd>
<dd class="more">There is no final report.</dd>`;
  }
  if (final.verified_success && findings.length > 0) {
    return markup`<dd class="headline bad">✗ Claimed only</dd>
<dd class="more">The final report claims it; the evidence doesn't hold.</dd>`;
  }
  return final.verified_success
    ? markup`
      <dd class="headline good">✓ Yes</dd>
      <dd
        class="more">A finish was accepted, and every case passed on that same snapshot.</dd>
    `
    : markup`
      <dd class="headline bad">✗ No</dd>
      <dd
        class="more">It takes an accepted finish, and every case passing on that same snapshot.</dd>
    `;
}

/** The cases of the final evaluation, as its record has them. */
export function finalCases(
  { closing }: RunView,
  words: TaskWords,
): readonly CaseLine[] {
  const record = closing.findLast(({ event }) => event === "final_evaluation");
  return record === undefined ? [] : words.cases(record.content);
}

/** The final evaluation, case by case. */
export function caseTable(
  cases: readonly CaseLine[],
  caption: string,
): Html | null {
  if (cases.length === 0) return null;
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  return markup`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Call</th><th scope="col" class="number-cell">Expected</th><th scope="col" class="number-cell">Actual</th><th scope="col">Verdict</th></tr></thead>
${
    kinds.map((kind) =>
      markup`<tbody>
<tr class="kind"><th scope="rowgroup" colspan="4">${
        capital(kind)
      } cases</th></tr>
${cases.filter((one) => one.kind === kind).map(caseRow)}</tbody>
`
    )
  }</table>
`;
}

function caseRow({ call, expected, actual, passes }: CaseLine): Html {
  return markup`<tr><th scope="row"><code>${call}</code></th><td class="number-cell">${expected}</td><td class="number-cell">${actual}</td><td>${
    mark(passes)
  }</td></tr>
`;
}

function mark(passes: boolean): Html {
  return passes
    ? markup`<span class="good">✓ passes</span>`
    : markup`<span class="bad">✗ fails</span>`;
}

/** A text with a capital first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
