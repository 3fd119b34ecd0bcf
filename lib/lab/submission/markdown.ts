// Markdown (CommonMark with tables) around text that may hold anything.

import { showSafely } from "../../system/safe_text.ts";
import type { SubmittedRun } from "./submitted_run.ts";

/** Text as inline code, on one line, whatever backticks it holds. */
export function code(text: string, most = 160): string {
  const shown = showSafely(text);
  const cut = [...shown].length > most
    ? `${[...shown].slice(0, most - 1).join("")}…`
    : shown;
  const fence = "`".repeat(longestRun(cut) + 1);
  const pad = cut === "" || /^[` ]|[` ]$/.test(cut) ? " " : "";
  return fence + pad + cut + pad + fence;
}

/** Text as a block of code. */
export function block(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  const shown = showSafely(text, { newlines: true });
  return `${fence}text\n${shown}${shown.endsWith("\n") ? "" : "\n"}${fence}\n`;
}

/** Text without any meaning to Markdown or HTML. */
export function plain(text: string): string {
  return showSafely(text).replace(/[\\`*_[\]<>#|~&$]/g, "\\$&");
}

/** A table; cells are Markdown. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** Links to events of a run's audit, by line. */
export function events(
  { audit }: SubmittedRun,
  ...ids: readonly (number | undefined)[]
): string {
  const path = audit.split("/").map(encodeURIComponent).join("/")
    .replace(
      /[()]/g,
      (character) => `%${character.charCodeAt(0).toString(16)}`,
    );
  return ids.filter((id) => id !== undefined)
    .map((id) => `[${id}](${path}#L${id})`).join(", ");
}

/** A blank that only the learner can fill. */
export function blank(question: string): string {
  return `> **Yours to write.** ${question}\n>\n> …\n`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
