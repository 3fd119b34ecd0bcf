// What verify says of a run that somebody altered by hand, in a few places where
// the check that fails isn't the place that was altered.

import assert from "node:assert/strict";
import { verificationText, verifyFolder } from "../lib/cli/verify.ts";
import { MEMORY_FOLDER, memoryFiles, readRunFiles } from "./memory_files.ts";
import { REPAIR, viewedRun } from "./viewed_run.ts";

/** A text of the run, changed. */
type Change = (text: string) => string;

const LAST = 32;

/** One line of an audit, changed. */
const line = (number: number, change: Change): Change => (text) =>
  text.split("\n").map((one, at) => at + 1 === number ? change(one) : one)
    .join("\n");

const otherTime: Change = (text) =>
  text.replace(
    /(\d)Z"/,
    (_, digit: string) => `${(Number(digit) + 1) % 10}Z"`,
  );

const CASES: readonly [
  what: string,
  file: string,
  change: Change,
  says: string,
][] = [
  [
    "a line that was altered",
    "audit.jsonl",
    line(5, otherTime),
    "First difference: audit.jsonl, line 6, event 6, prev\n" +
    "  Either line 5 or this record's prev was altered; expected is the digest" +
    " of line 5 as it is\n" +
    '  expected  "…"\n  found     "…"\n',
  ],
  [
    "the last line, altered",
    "audit.jsonl",
    line(LAST, otherTime),
    "First difference: final.json, audit.head\n" +
    "  Either the last line of audit.jsonl or this field was altered; expected" +
    " is the digest of that line as it is\n" +
    '  expected  "…"\n  found     "…"\n',
  ],
  [
    "an altered manifest",
    "manifest.json",
    (text) => text.replace(/("created": "\d+-\d+-\d+T\d+:\d+:)\d\d/, "$107"),
    "First difference: audit.jsonl, line 1, event 1, prev\n" +
    "  Either manifest.json or this record's prev was altered; expected is the" +
    " digest of manifest.json as it is\n" +
    '  expected  "…"\n  found     "…"\n',
  ],
  [
    "a manifest of another version",
    "manifest.json",
    (text) => text.replace('"format_version": 1', '"format_version": 2'),
    "First difference: manifest.json, format_version\n" +
    "  It isn't a manifest of this format\n" +
    "  expected  1\n  found     2\n",
  ],
  [
    "a field too many in a record",
    "audit.jsonl",
    line(2, (text) => text.replace(/\}$/, ',"more":1}')),
    "First difference: audit.jsonl, line 2, more\n" +
    "  The line isn't a record\n" +
    "  expected  nothing\n  found     1\n",
  ],
  [
    "a stray recovery.jsonl",
    "recovery.jsonl",
    () => "",
    "First difference: recovery.jsonl\n" +
    "  The final report knows of no recovery\n",
  ],
];

for (const [what, file, change, says] of CASES) {
  Deno.test(`verify says where to look for ${what}`, async () => {
    using run = await viewedRun(REPAIR);
    const files = readRunFiles(run.folder);
    const before = new TextDecoder().decode(files.get(file));
    const after = change(before);
    assert.ok(after !== before || !files.has(file), "Nothing was altered");
    files.set(file, new TextEncoder().encode(after));
    const verified = await verifyFolder(
      memoryFiles(files),
      MEMORY_FOLDER,
      "run",
    );
    const text = verificationText(verified, false)
      .replace(/"[0-9a-f]{64}"/g, '"…"');
    assert.equal(verified.holds, false);
    assert.equal(
      text.slice(text.indexOf("First"), text.indexOf("The ev")),
      says,
    );
  });
}
