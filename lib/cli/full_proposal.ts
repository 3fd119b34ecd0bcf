// What `show --full` adds to a proposal: prompt, raw output, observation.

import type { Message } from "../agent/source.ts";
import type { ProposalView } from "../evidence/run_view.ts";
import type { TaskWords } from "../evidence/task_words.ts";
import { showSafely } from "../system/safe_text.ts";
import type { Paint } from "./colors.ts";
import { paragraph } from "./event_lines.ts";
import { PAGE_COLUMNS, wrapped } from "./text_layout.ts";

/**
 * Everything that a proposal was asked, said and was answered.
 *
 * @param before The proposal before it, whose messages are not repeated.
 */
export function fullProposalLines(
  proposal: ProposalView,
  before: ProposalView | undefined,
  words: TaskWords,
  colors: Paint,
): string[] {
  const { request, attempt, answer } = proposal;
  const text = attempt?.attempt.proposal_text;
  const raw = text ?? attempt?.attempt.proposal_base64;
  const form = text === undefined ? ", not UTF-8, as base64" : "";
  return [
    ...(request?.messages ?? []).flatMap((message, at) =>
      promptLines(message, before?.request?.messages[at], request!, colors)
    ),
    ...raw === undefined
      ? []
      : block(`raw output${form} (event ${attempt?.eventId})`, raw, colors),
    ...answer === null ? [] : block(
      `observation (event ${answer.eventId})`,
      JSON.stringify(answer.observation),
      colors,
    ),
    ...(answer === null ? [] : words.cases(answer.observation)).flatMap((one) =>
      paragraph(
        `${one.passes ? "✓" : "✗"} ${one.call} is ${one.actual}, ` +
          `expected ${one.expected}`,
        colors.dim,
      )
    ),
    "",
  ];
}

/** One message of a prompt, unless it is the one before it again. */
function promptLines(
  { role, content }: Message,
  before: Message | undefined,
  { eventId }: { readonly eventId: number },
  colors: Paint,
): string[] {
  const name = `prompt, ${role} message (event ${eventId})`;
  return before?.role === role && before.content === content
    ? [`  ${colors.strong(name)}: the same as before`]
    : block(name, content, colors);
}

/** Untrusted text of many lines, behind a bar that it can't draw itself. */
function block(name: string, text: string, colors: Paint): string[] {
  if (text === "") return [`  ${colors.strong(showSafely(name))}: (empty)`];
  const shown = showSafely(text, { newlines: true }).replaceAll("\t", "    ")
    .replace(/\n$/, "");
  return [
    `  ${colors.strong(showSafely(name))}`,
    ...wrapped(shown, PAGE_COLUMNS - 4)
      .map((line) => `  ${colors.dim("│")} ${line}`.trimEnd()),
  ];
}
