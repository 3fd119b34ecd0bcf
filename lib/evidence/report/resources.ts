// Lab Part 10: where the time went, and how many tokens it took.

import { acquisitionWords } from "../acquisition_words.ts";
import type { RunView } from "../run_view.ts";
import { durationWords } from "../proposal_words.ts";
import { Html, markup } from "./html.ts";
import { capital } from "./outcome.ts";

/** Times by kind and tokens by proposal. */
export function resources(view: RunView): Html {
  const acquired = acquisitionWords(view.manifest.model);
  return markup`${times(view)}
${acquired === null ? null : markup`<p>Acquisition: ${acquired}.</p>\n`}${
    tokenTable(view)
  }`;
}

interface Share {
  readonly kind: string;
  readonly ms: number;
  /** Its colour's class. */
  readonly color: string;
}

function times({ final }: RunView): Html {
  const elapsed = Object.entries(final?.elapsed_ms ?? {})
    .filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const total = elapsed.find(([kind]) => kind === "total")?.[1];
  if (total === undefined) return markup`<p>No total time is recorded.</p>`;
  const kinds = elapsed.filter(([kind]) => kind !== "total");
  const rest = total - kinds.reduce((sum, [, ms]) => sum + ms, 0);
  const shares: Share[] = [
    ...kinds.map(([kind, ms], at) => ({ kind, ms, color: `k${at % 7}` })),
    { kind: "everything else", ms: Math.max(0, rest), color: "rest" },
  ];
  return markup`${strip(shares)}
<table>
<caption>Time by kind; monotonic, as the controller measured it</caption>
<thead><tr><th scope="col">Kind</th><th scope="col" class="number-cell">Time</th><th scope="col" class="number-cell">Share</th></tr></thead>
<tbody>
${
    shares.map(({ kind, ms, color }) =>
      markup`<tr><th scope="row"><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="${color}" width="1" height="1"/></svg>${
        capital(kind)
      }</th><td class="number-cell">${
        durationWords(ms)
      }</td><td class="number-cell">${share(ms, total)}</td></tr>
`
    )
  }<tr><th scope="row">Total</th><td class="number-cell">${
    durationWords(total)
  }</td><td class="number-cell"></td></tr>
</tbody>
</table>
`;
}

function share(ms: number, total: number): string {
  const percent = total > 0 ? 100 * ms / total : 0;
  return percent > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}

/** The shares as one bar; the table below it says the same in words. */
function strip(shares: readonly Share[]): Html {
  const whole = shares.reduce((sum, { ms }) => sum + ms, 0) || 1;
  let at = 0;
  const bars = shares.map(({ ms, color }) => {
    const width = 1_000 * ms / whole;
    const bar = `<rect class="${color}" x="${at.toFixed(2)}" y="0" ` +
      `width="${width.toFixed(2)}" height="1"/>`;
    at += width;
    return new Html(bar);
  });
  return markup`<svg class="strip" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`;
}

function tokenTable({ proposals }: RunView): Html {
  const counted = proposals.flatMap(({ number, tokens, attempt }) =>
    tokens === null
      ? []
      : [{ number, ...tokens, ms: attempt?.attempt.elapsed_ms ?? 0 }]
  );
  if (counted.length === 0) {
    return markup`<p>No tokens: the source is no model, and counts none.</p>`;
  }
  return markup`<table>
<caption>Tokens by proposal, as the source told them</caption>
<thead><tr><th scope="col">Proposal</th><th scope="col" class="number-cell">Input</th><th scope="col" class="number-cell">Reused</th><th scope="col" class="number-cell">Output</th><th scope="col" class="number-cell">Generation</th><th scope="col">Ceiling</th></tr></thead>
<tbody>
${
    counted.map((one) =>
      markup`<tr><th scope="row">${one.number}</th><td class="number-cell">${one.input}</td><td class="number-cell">${one.reused}</td><td class="number-cell">${one.output}</td><td class="number-cell">${
        durationWords(one.ms)
      }</td><td>${
        one.ceilingReached ? "reached: the text may be cut" : "not reached"
      }</td></tr>
`
    )
  }</tbody>
</table>
`;
}
