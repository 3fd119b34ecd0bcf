// zod names keys that it doesn't know as they stand in the file. Whoever wrote
// the file could so write to the terminal of whoever reads the message, and at
// any length.

import { showSafely } from "./safe_text.ts";
import type { z } from "./zod.ts";

/** The first thing that a schema found wrong. */
export interface FirstIssue {
  /** Path of the field, such as `files.0.name`; empty for the whole value. */
  readonly place: string;
  /** On one line, safe to show. */
  readonly why: string;
}

/** Most characters of either, before what is unsafe in them is spelled out. */
const SHOWN = 160;

/** The first issue of a value that a schema refused. */
export function firstIssue(error: z.ZodError): FirstIssue {
  const { path, message } = error.issues[0]!;
  return { place: shown(path.map(String).join(".")), why: shown(message) };
}

function shown(text: string): string {
  return showSafely(
    text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`,
  );
}
