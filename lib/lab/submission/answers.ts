// Lab Part 10: the seven questions. What evidence can answer is answered with
// event numbers; what is the learner's own stays a marked blank.

import type { CaseResult } from "../expression/evaluate_cases.ts";
import { successWords } from "../lab_words.ts";
import { blank, block, code, events, plain, table } from "./markdown.ts";
import { failureCode, failures } from "./origins.ts";
import { caseText, patches } from "./patches.ts";
import { observedProperties } from "./properties.ts";
import { resources } from "./resources.ts";
import {
  noModel,
  type SubmittedProposal,
  type SubmittedRun,
} from "./submitted_run.ts";

/** The runs of a submission; null where there is no trial. */
export interface SubmittedRuns {
  readonly baseline: SubmittedRun;
  readonly trial: SubmittedRun | null;
}

/** Stands where only a trial could answer. */
export const NOT_RUN = "**Not run or blocked.** There is no trial.\n";

/** The seven questions with their answers, as Markdown. */
export function answers(runs: SubmittedRuns): string {
  const { baseline, trial } = runs;
  const ofTrial = (answer: (trial: SubmittedRun) => string) =>
    trial === null ? NOT_RUN : notModel(trial) + answer(trial);
  const patched = patches(trial?.proposals ?? []);
  // No question about what isn't there.
  const failing = patched.some(({ failing }) =>
    failing !== null && failing.public.length + failing.held_out.length > 0
  );
  const output = trial !== null && trial.proposals.length > 0;
  const questions: readonly (readonly [string, string, string | null])[] = [
    [
      "Which exact harness properties were observed to work?",
      [baseline, ...trial === null ? [] : [trial]].map(properties).join("\n"),
      "Which property mattered most, and which did no run exercise?",
    ],
    [
      "What did the model actually generate? Include the first failure, if any.",
      ofTrial(generated),
      output ? "What in the output do you find telling?" : null,
    ],
    [
      "Did a failure originate in generation, schema adherence, permission " +
      "checks, editing, testing, or resource limits?",
      ofTrial(origins),
      "The table sorts by code. Where would you sort otherwise, and why?",
    ],
    [
      "Did any successful patch fail a boundary or held-out case?",
      ofTrial(patchTable),
      failing ? "What do the failing cases have in common?" : null,
    ],
    [
      "Did the model recover from an observation, or merely repeat a failed " +
      "proposal?",
      ofTrial(recoveries),
      "Did the observation help, or would the next proposal have come anyway?",
    ],
    [
      "Which resource estimate was most inaccurate on your machine?",
      [baseline, ...trial === null ? [] : [trial]].map(resources).join("\n"),
      "Which estimate was furthest off: time, memory, disk, or bytes?",
    ],
    [
      "What evidence would be needed before claiming broader coding ability " +
      "or stronger isolation?",
      "These runs show one task of two expressions, twelve fixed cases, one " +
      "trial, and a controller whose walls are the runtime's. They don't " +
      "show other tasks, repeated trials, other models, or isolation from " +
      "native code and from programs of the same user.\n",
      "What would convince you?",
    ],
  ];
  return questions.map(([question, answer, own], at) =>
    `### ${at + 1}. ${question}\n\n${answer}${
      own === null ? "" : `\n${blank(own)}`
    }`
  ).join("\n");
}

function properties(run: SubmittedRun): string {
  const title = `In ${code(run.name)}:\n\n`;
  if (!run.holds) return `${title}Not shown: its evidence doesn't hold.\n`;
  const rows = observedProperties(run);
  return rows.length === 0 ? `${title}None.\n` : title + table(
    ["Property", "Evidence"],
    rows.map(({ property, evidence }) => [property, evidence]),
  );
}

function generated(run: SubmittedRun): string {
  if (run.proposals.length === 0) return "There is no output to show.\n";
  const rows = run.proposals.map((proposal) => [
    String(proposal.number),
    rawText(proposal),
    verdict(proposal),
    events(run, proposal.received?.eventId, proposal.answer?.eventId),
  ]);
  const first = failures(run.proposals)[0];
  return table(["#", "Raw output", "Verdict", "Events"], rows) +
    (first === undefined
      ? "\nNo proposal failed.\n"
      : `\nThe first failure is proposal ${first.proposal.number}, ` +
        `${code(first.code)}${
          first.meaning === null ? "" : ` (${plain(first.meaning)})`
        }${ceiling(first.proposal)}. Its whole output:\n\n${
          wholeText(first.proposal)
        }`);
}

/** A trial is a model's; other proposals are never passed off as one's. */
function notModel(run: SubmittedRun): string {
  const { name, source } = run;
  return noModel(run) === null
    ? ""
    : source === "model"
    ? `No model was called in ${code(name)}.\n\n`
    : `No model was called: the proposals of ${code(name)} came from ` +
      `${code(source)}.\n\n`;
}

/** Output cut for want of tokens is no mere malformation. */
function ceiling({ tokens }: SubmittedProposal): string {
  return tokens?.ceilingReached
    ? "; the token ceiling was reached, so the text may be cut"
    : "";
}

function rawText({ received }: SubmittedProposal): string {
  if (received === null) return "no attempt ended";
  if (received.text !== null) return code(received.text);
  return received.base64 === null
    ? "nothing"
    : `base64 ${code(received.base64)}`;
}

function wholeText({ received }: SubmittedProposal): string {
  return received?.text == null
    ? `${rawText({ received } as SubmittedProposal)}\n`
    : block(received.text);
}

function verdict(proposal: SubmittedProposal): string {
  const failed = failureCode(proposal);
  if (failed !== null) return `denied or failed: ${code(failed)}`;
  return plain(successWords(proposal.answer!.observation));
}

function origins(run: SubmittedRun): string {
  const all = failures(run.proposals);
  const stop = run.stop === null
    ? "No record says how the run stopped."
    : `The run stopped with ${code(run.stop.reason)}${
      run.stop.detail === null ? "" : ` (${plain(run.stop.detail)})`
    }.`;
  return all.length === 0 ? `No proposal failed. ${stop}\n` : table(
    ["Proposal", "Origin", "Code", "Event"],
    all.map(({ proposal, origin, code: failed }) => [
      String(proposal.number),
      origin,
      code(failed),
      events(run, proposal.answer?.eventId ?? proposal.received?.eventId),
    ]),
  ) + `\n${stop}\n`;
}

function patchTable(run: SubmittedRun): string {
  const rows = patches(run.proposals);
  if (rows.length === 0) return "No patch was committed.\n";
  return table(
    ["Version", "Expression", "Public", "Held-out", "Event"],
    rows.map(({ version, target, expression, failing, proposal }) => [
      String(version),
      `${plain(target)}: ${code(expression)}`,
      failing === null ? "not evaluable" : failingText(failing.public),
      failing === null ? "not evaluable" : failingText(failing.held_out),
      events(run, proposal.answer?.eventId),
    ]),
  ) + "\nEach version was evaluated as a whole, now, by the interpreter that " +
    "the controller uses, from the expressions in its receipt. A function " +
    "that no patch had touched yet fails its own cases.\n";
}

function failingText(results: readonly CaseResult[]): string {
  const [first, ...more] = results;
  return first === undefined
    ? "all pass"
    : `${results.length} fail: ${code(caseText(first))}${
      more.length > 0 ? ", …" : ""
    }`;
}

function recoveries(run: SubmittedRun): string {
  const failed = failures(run.proposals);
  if (failed.length === 0) return "There was no failure to recover from.\n";
  const rows = failed.map(({ proposal, code: failedCode }) => {
    const next = run.proposals.find(({ number }) =>
      number === proposal.number + 1
    );
    return [
      String(proposal.number),
      code(failedCode),
      next === undefined ? "none followed" : after(proposal, failedCode, next),
      events(run, next?.answer?.eventId ?? next?.received?.eventId),
    ];
  });
  return table(["Failed", "Code", "The next proposal", "Event"], rows);
}

function after(
  failed: SubmittedProposal,
  failedCode: string,
  next: SubmittedProposal,
): string {
  const nextCode = failureCode(next);
  const same = failed.received !== null && next.received !== null &&
    failed.received.text === next.received.text &&
    failed.received.base64 === next.received.base64;
  if (same) return "repeated the same bytes";
  if (nextCode === null) return "different, and carried out";
  return nextCode === failedCode
    ? "different bytes, the same code"
    : `different, and failed with ${code(nextCode)}`;
}
