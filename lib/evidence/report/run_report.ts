// One run as one page.

import { counted } from "../../system/counted.ts";
import { shellWord } from "../../system/shell_word.ts";
import { modelName } from "../atif.ts";
import { cameToEnd, type RunView } from "../run_view.ts";
import { sourceWords } from "../run_words.ts";
import type { TaskWords } from "../task_words.ts";
import { enforced, notPromised } from "./enforcement.ts";
import { type Html, markup } from "./html.ts";
import { identity } from "./identity.ts";
import { caseTable, evaluationText, finalCases, outcome } from "./outcome.ts";
import { page } from "./page.ts";
import { resources } from "./resources.ts";
import { eventText, timeline } from "./timeline.ts";

/**
 * A run's report.
 *
 * @param folder The run's folder as its reader would type it.
 * @returns A whole HTML document.
 */
export function runReport(
  view: RunView,
  folder: string,
  words: TaskWords,
): string {
  const { manifest } = view;
  const short = manifest.run_id.slice(0, 8);
  return page({
    title: `Run ${short}: tinycoder report`,
    contents: [
      { id: "proposals", name: "Proposals" },
      { id: "cases", name: "Final evaluation" },
      { id: "resources", name: "Time and tokens" },
      { id: "identity", name: "Made with" },
      { id: "enforced", name: "Enforced" },
      { id: "evidence", name: "Evidence" },
    ],
    header: markup`<p class="kicker">tinycoder run report</p>
<h1>Run ${short}</h1>
<p>${words.title}. ${origin(view)}; begun on
${wallTime(manifest.created)}.</p>
${outcome(view, words)}
${notices(view, folder)}`,
    main: markup`<section aria-labelledby="proposals">
<h2 id="proposals">Proposals</h2>
${aside("Before the first", view.opening, words)}
${timeline(view, words)}
${aside("After the last", view.closing, words)}
</section>
<section aria-labelledby="cases">
<h2 id="cases">Final evaluation</h2>
${
      caseTable(
        finalCases(view, words),
        "Held-out cases were in no prompt and no observation",
      ) ??
        markup`<p>No case was evaluated: ${
          evaluationText(view.final, words)
        }.</p>`
    }
</section>
<section aria-labelledby="resources">
<h2 id="resources">Time and tokens</h2>
${resources(view)}
</section>
<section aria-labelledby="identity">
<h2 id="identity">Made with</h2>
${identity(view)}
</section>
<section aria-labelledby="enforced">
<h2 id="enforced">What was enforced</h2>
${enforced(view)}
<h3>What is not promised</h3>
${notPromised(view)}
</section>
<section aria-labelledby="evidence">
<h2 id="evidence">Evidence</h2>
${evidence(view, folder, words)}
</section>`,
    footer: markup`<p>Run <code>${manifest.run_id}</code>. Nothing on this page
runs, and it asks no server for anything.</p>`,
  });
}

/** What a reader must know before anything else. */
export function notices(view: RunView, folder: string): Html {
  const { findings, state, manifest } = view;
  return markup`${
    findings.length === 0 ? null : markup`<div class="notice">
<p><strong>This evidence doesn't hold.</strong></p>
<ul class="plain">${
      findings.map(({ file, line, message }) =>
        markup`<li><code>${file}</code>${
          line === null ? "" : `, line ${line}`
        }: ${message}</li>`
      )
    }</ul>
<p>What could be read up to there is shown.</p>
</div>`
  }
${
    state !== "unfinished" ? null : markup`<div class="notice calm">
<p>This run has no final report: ${
      cameToEnd(view)
        ? "its records came to their end all the same. If it isn't still running:"
        : "it is still running, or its process died. If it died:"
    } <code>tinycoder recover ${shellWord(folder)}</code></p>
</div>`
  }
${
    state !== "recovered" ? null : markup`<div class="notice calm">
<p>${
      cameToEnd(view)
        ? "The records of this run had come to their end, without a final report."
        : "The process of this run died."
    } Recovery closed its evidence from what was on
disk; a recovered run never counts as a success.</p>
</div>`
  }
${
    manifest.extension === null ? null : markup`<div class="notice calm">
<p>A declared extension, not the core trial: ${manifest.extension}</p>
</div>`
  }`;
}

function aside(
  title: string,
  records: RunView["opening"],
  words: TaskWords,
): Html | null {
  const told = records.filter(({ event }) =>
    event !== "run_ended" && event !== "times_measured"
  );
  if (told.length === 0) return null;
  return markup`<h3>${title}</h3>
<ul class="plain">${
    told.map((record) => markup`<li>${eventText(record, words)}</li>`)
  }</ul>`;
}

function evidence(
  view: RunView,
  folder: string,
  words: TaskWords,
): Html {
  const { audit, recovery, tail, recovered, manifestSha256 } = view;
  return markup`<dl class="list">
<dt>Audit</dt><dd>${
    counted(audit.count, "record")
  }, last digest <code>${audit.head}</code></dd>
<dt>Manifest</dt><dd><code>${manifestSha256}</code>, which the first record chains to</dd>
${
    tail.kind === "clean"
      ? null
      : markup`<dt>After the last record</dt><dd>${
        counted(
          tail.bytes,
          "byte that is no record",
          "bytes that are no record",
        )
      } (${
        tail.kind.replace("_", " ")
      }), SHA-256 <code>${tail.sha256}</code></dd>`
  }
${
    recovery === null
      ? null
      : markup`<dt>Recovery</dt><dd>${
        counted(recovered.length, "record")
      }, last digest <code>${recovery.head}</code></dd>`
  }
</dl>
${aside("What recovery found", recovered, words)}
<p>To derive every decision of this run again, on any machine and without
trusting this one: <code>tinycoder verify ${shellWord(folder)}</code></p>`;
}

/** Where the proposals came from, and what kind of run that makes it. */
function origin({ manifest }: RunView): string {
  const { proposal_source, model, core_trial } = manifest;
  const name = modelName(model);
  return `Proposals came from ${sourceWords(proposal_source)}` +
    (name === null ? "" : `, ${name}`) +
    (core_trial ? ", in the core trial" : "");
}

/** An instant as a person reads it. */
function wallTime(iso: string): Html {
  const text = `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
  return markup`<time datetime="${iso}">${text}</time>`;
}
