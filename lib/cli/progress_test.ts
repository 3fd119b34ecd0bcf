import assert from "node:assert/strict";
import {
  HOSTILE,
  REPAIR,
  UNSAFE_CHARACTER,
  viewedRun,
} from "../../tests/viewed_run.ts";
import type { JsonObject } from "../agent/json.ts";
import { progressPrinter } from "./progress.ts";
import { columns, PAGE_COLUMNS } from "./text_layout.ts";

/** What the progress of a finished run was. */
function progressOf(folder: string, noteColor = false): string {
  let text = "";
  const print = progressPrinter({
    out: () => {
      throw new Error("Progress is no result");
    },
    note: (line) => text += line,
    outColor: false,
    noteColor,
    noteIsTerminal: false,
  });
  for (
    const line of Deno.readTextFileSync(`${folder}/audit.jsonl`).trim()
      .split("\n")
  ) print(JSON.parse(line) as JsonObject);
  return text;
}

Deno.test("progressPrinter() tells what is asked, answered, denied and committed", async () => {
  using run = await viewedRun([
    REPAIR[0],
    REPAIR[2],
    '{"action":"finish","version":0}',
    { failed: "model_error", detail: "It left" },
  ]);
  assert.equal(
    progressOf(run.folder).replaceAll(/^ +[\d.]+ s /gm, ""),
    ` 1 · asking for a proposal
 1   {"action":"read","file":"toy_math.py"}
 1 ✓ read toy_math.py: shown, version 0
 2 · asking for a proposal
 2   {"action":"replace","function":"clamp","old":"x","new":"lo if …
 2 · about to write version 1
 2 ✓ replace clamp: committed, version 1
 3 · asking for a proposal
 3   {"action":"finish","version":0}
 3 ✗ denied, stale_version: The current version is 1, not 0
 4 · asking for a proposal
 4 ✗ no proposal: model_error, It left
   · stopped: model_error
   · final evaluation of version 1: performed
`,
  );
});

Deno.test("progressPrinter() keeps to the page and escapes what was proposed", async () => {
  using run = await viewedRun(HOSTILE);
  const text = progressOf(run.folder);
  assert.deepEqual(
    text.split("\n").filter((line) => columns(line) > PAGE_COLUMNS),
    [],
  );
  assert(text.includes("\\u{202e}right to left"));
  assert.equal(UNSAFE_CHARACTER.exec(text), null);
  assert(progressOf(run.folder, true).includes("\x1b[31m✗ denied"));
});
