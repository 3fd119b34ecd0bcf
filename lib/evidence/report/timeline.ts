// Every proposal with what it was asked, what it said, what was answered, and
// where the audit says so.

import type { Message } from "../../agent/source.ts";
import { counted } from "../../system/counted.ts";
import type { AuditRecord } from "../audit_record.ts";
import type { ProposalView, RunView } from "../run_view.ts";
import { tokenWords } from "../run_view_tokens.ts";
import { loopEventWords } from "../run_words.ts";
import type { CaseLine, Edit, TaskWords } from "../task_words.ts";
import {
  type Answered,
  answeredBy,
  durationWords,
  editAsked,
  proposalWords,
  versionWords,
} from "../proposal_words.ts";
import { Html, lines, markup } from "./html.ts";
import { capital, caseTable } from "./outcome.ts";

/**
 * The proposals of a run, in order.
 *
 * @param prefix What ids begin with, where a page has two runs.
 */
export function timeline(
  view: RunView,
  words: TaskWords,
  prefix = "",
): Html {
  if (view.proposals.length === 0) {
    return markup`<p>No proposal was asked for.</p>`;
  }
  const instruction = view.manifest.prompt.system_instruction;
  return markup`<p class="print-only quiet">Prompts are left out of print; they are
in the audit, and in this page on a screen.</p>
<ol class="proposals">
    ${
    view.proposals.map((one) => entry(one, words, { instruction, prefix }))
  }</ol>
  `;
}

function entry(
  proposal: ProposalView,
  words: TaskWords,
  { instruction, prefix }: { instruction: string; prefix: string },
): Html {
  const { number, answer } = proposal;
  const answered = answeredBy(proposal, words);
  const edit = editAsked(proposal, words);
  const cases = answer === null ? [] : words.cases(answer.observation);
  const title = capital(proposalWords(proposal, words));
  return markup`<li class="proposal" id="${prefix}proposal-${number}">
<div class="top">
<h3><span class="number">${number}<span class="hidden">: </span></span>${title}</h3>
${verdict(answered, cases.every(({ passes }) => passes))}
</div>
${meta(proposal, words)}
${edit === null ? null : diff(edit, answered.kind === "carried_out")}
${answered.why === null ? null : markup`<p class="said">${answered.why}</p>`}
${happenings(proposal, words)}
${rawOutput(proposal)}
${observation(proposal)}
${testedCases(cases)}
${prompt(proposal, prefix === "" ? instruction : null)}
</li>
`;
}

function testedCases(cases: readonly CaseLine[]): Html | null {
  return cases.length === 0 ? null : markup`<details><summary>Cases</summary>
${caseTable(cases, "What the test showed")}
</details>
`;
}

/** A test that was carried out is no good news while cases fail. */
function verdict({ kind, words }: Answered, allPass: boolean): Html {
  switch (kind) {
    case "carried_out":
      return allPass
        ? markup`<p class="verdict good">✓ ${words}</p>`
        : markup`<p class="verdict">${words}</p>`;
    case "denied":
      return markup`<p class="verdict bad">✗ denied: ${words}</p>`;
    case "unanswered":
      return markup`<p class="verdict quiet">– ${words}</p>`;
  }
}

function meta(proposal: ProposalView, words: TaskWords): Html {
  const { answer, elapsedMs, records, tokens } = proposal;
  const version = versionWords(answer?.observation ?? null, words);
  const [first, last] = [records.at(0), records.at(-1)];
  const parts = [
    ...version === "" ? [] : [`version ${version}`],
    durationWords(elapsedMs),
    ...tokens === null ? [] : [tokenWords(tokens)],
    ...first === undefined || last === undefined
      ? []
      : [`events ${first.event_id}–${last.event_id}`],
  ];
  return markup`<p class="meta">${
    parts.map((part) => markup`<span>${part}</span>`)
  }</p>`;
}

/** An expression before and after; quiet where the edit didn't happen. */
function diff({ target, before, after }: Edit, done: boolean): Html {
  const side = (sign: string, name: string, text: string) =>
    markup`<p class="${name}"><span class="sign" aria-hidden="true">${sign}</span><span><span class="hidden">${name}: </span>${text}</span></p>
`;
  const title = `${done ? "Edit" : "Edit asked for, not made,"} of ${target}`;
  return markup`<div class="diff${
    done ? "" : " refused"
  }" role="group" aria-label="${title}">
${side("−", "before", before)}${side("+", "after", after)}</div>
`;
}

/** What came from outside while the proposal was dealt with. */
function happenings({ records }: ProposalView, words: TaskWords): Html | null {
  const told = records.filter(({ event, kind }) =>
    event === "observations_omitted" || event.startsWith("edit_") ||
    (kind === "fact" && event !== "proposal_received" &&
      event !== "tokens_counted")
  );
  if (told.length === 0) return null;
  return markup`<ul class="happened">${
    told.map((record) => markup`<li>${eventText(record, words)}</li>`)
  }</ul>`;
}

/** An event as a sentence, with its number. */
export function eventText(record: AuditRecord, words: TaskWords): string {
  const { event, content, event_id } = record;
  const text = words.event(record) ?? loopEventWords(event, content) ?? event;
  return `${capital(text)} (event ${event_id})`;
}

/** What the source said; unfolded where it is no action. */
function rawOutput({ attempt, admitted }: ProposalView): Html | null {
  if (attempt === null) return null;
  const { proposal_text, proposal_base64 } = attempt.attempt;
  if (proposal_text !== undefined) {
    const { length } = new TextEncoder().encode(proposal_text);
    return folded(
      "Raw output",
      counted(length, "byte"),
      attempt.eventId,
      proposal_text,
      admitted === null,
    );
  }
  return proposal_base64 === undefined ? null : folded(
    "Raw output, in base64",
    "not UTF-8",
    attempt.eventId,
    proposal_base64,
  );
}

function observation({ answer }: ProposalView): Html | null {
  if (answer === null) return null;
  const text = JSON.stringify(answer.observation);
  const { length } = new TextEncoder().encode(text);
  return folded(
    "Observation",
    counted(length, "byte"),
    answer.eventId,
    JSON.stringify(answer.observation, null, 2),
  );
}

function prompt(
  { request, tokens }: ProposalView,
  instruction: string | null,
): Html | null {
  if (request === null) return null;
  const size = tokens === null ? "" : `${tokens.input} tokens, `;
  return markup`<details class="prompt">
<summary>Prompt <span class="size">${size}event ${request.eventId}</span></summary>
${request.messages.map((message) => promptMessage(message, instruction))}
${ids("Input token ids", tokens?.inputIds)}
${ids("Output token ids", tokens?.outputIds)}
</details>
`;
}

function promptMessage(
  { role, content }: Message,
  instruction: string | null,
): Html {
  return role === "system" && content === instruction
    ? markup`<p class="quiet">System message: the fixed instruction,
<a href="#instruction">the same in every prompt</a>.</p>
`
    : markup`<h4>${capital(role)} message</h4>
<pre>${lines(content)}</pre>
`;
}

function ids(
  name: string,
  tokens: readonly number[] | null | undefined,
): Html | null {
  return tokens == null ? null : markup`<details><summary>${name}</summary>
<pre>${tokens.join(" ")}</pre></details>
`;
}

function folded(
  name: string,
  size: string,
  eventId: number,
  text: string,
  open = false,
): Html {
  const start = new Html(open ? "<details open>" : "<details>");
  return markup`${start}
<summary>${name} <span class="size">${size}, event ${eventId}</span></summary>
<pre>${lines(text)}</pre>
</details>
`;
}
