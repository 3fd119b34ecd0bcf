// HTML in which nothing that was interpolated can be markup, a control
// character, or invisible. Text is made safe to read before it is escaped.

import { showSafely } from "../../system/safe_text.ts";

/** Markup that is safe to put into a page as it stands. */
export class Html {
  readonly text: string;

  /** @param text Markup, trusted from here on. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, markup is not. */
export type HtmlValue =
  | Html
  | string
  | number
  | null
  | readonly HtmlValue[];

/** Makes markup of a template; null stands for nothing. */
export function markup(
  strings: TemplateStringsArray,
  ...values: readonly HtmlValue[]
): Html {
  return new Html(String.raw(
    { raw: strings },
    ...values.map((value) => marked(value)),
  ));
}

/** Text of several lines: its line feeds and tabs stay. */
export function lines(text: string): Html {
  return new Html(escaped(showSafely(text, { newlines: true })));
}

function marked(value: HtmlValue): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return escaped(showSafely(value));
  if (typeof value === "number") return escaped(String(value));
  return value.map(marked).join("");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
