// Tampering, wholesale. `tasks/mutation_sweep.ts` takes every mutant; here it is
// every nth, so that each kind of change to each kind of file is among them.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import { verificationText } from "../lib/cli/verify.ts";
import type { Discrepancy } from "../lib/evidence/verify_report.ts";
import { objectIn } from "./chain_mutants.ts";
import { chainAnew, joinLines, linesOf, parsed, withFile } from "./mutants.ts";
import { sweep, verifyMutant } from "./mutation_sweep.ts";
import { sweptRuns } from "./swept_runs.ts";

const runs = await sweptRuns();
const baseline = runs[0]!.files;

Deno.test("verifyRun() holds for every run that is altered below", async () => {
  for (const { name, files } of runs) {
    const { discrepancy } = await verifyMutant(files);
    assert.equal(discrepancy, null, name);
  }
});

Deno.test("verifyRun() refuses every altered run but those on the list", async () => {
  const { tried, unlisted, unsigned, thrown } = await sweep(runs, 41);
  assert.deepEqual({ unlisted, unsigned, thrown }, {
    unlisted: [],
    unsigned: [],
    thrown: [],
  });
  for (const count of Object.values(tried)) assert.ok(count > 0);
});

Deno.test("verifyRun() refuses another layout, even where the values are the same", async () => {
  for (const name of ["manifest.json", "final.json"]) {
    const value = objectIn(baseline, name);
    const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    const altered = withFile(baseline, name, bytes);
    const { discrepancy } = await verifyMutant(altered);
    assert.equal(discrepancy?.file, name);
    assert.equal(
      discrepancy.message,
      "It isn't laid out as this program writes it",
    );
  }
});

/** The discrepancy of the baseline with an audit of these bytes. */
async function auditDiscrepancy(bytes: Uint8Array): Promise<Discrepancy> {
  const altered = withFile(baseline, "audit.jsonl", bytes);
  const verification = await verifyMutant(altered);
  assert.equal(verification.holds, false);
  // A person gets one finding and a verdict, whatever the bytes are.
  assert.match(verificationText(verification, false), /^First difference: /m);
  return verification.discrepancy!;
}

const audit = baseline.get("audit.jsonl")!;
const { lines } = linesOf(audit);

const DAMAGES: readonly {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly line: number | null;
  readonly message: RegExp;
}[] = [
  {
    name: "an empty file",
    bytes: new Uint8Array(),
    line: null,
    message: /^The audit is empty$/,
  },
  {
    name: "a cut record",
    bytes: audit.subarray(0, audit.length - 40),
    line: lines.length,
    message: /^The file ends in the middle of a record$/,
  },
  {
    name: "a cut tail of whole records",
    bytes: joinLines(lines.slice(0, -3)),
    line: lines.length - 2,
    message: /^The records end before the run does$/,
  },
  {
    name: "NUL padding",
    bytes: joinLines(lines, new Uint8Array(4_096)),
    line: lines.length + 1,
    message: /^NUL bytes follow the last record, as a power cut leaves them$/,
  },
  {
    name: "NUL bytes in the middle",
    bytes: joinLines(lines.with(7, "\0".repeat(512))),
    line: 8,
    message: /^The line has a NUL byte, at byte 0$/,
  },
  {
    name: "two records on one line",
    bytes: joinLines(lines.toSpliced(7, 2, `${lines[7]}${lines[8]}`)),
    line: 8,
    message: /^A second record begins on the line, at character \d+$/,
  },
  {
    name: "invalid UTF-8 in the middle",
    bytes: invalidAt(12_000),
    line: new TextDecoder().decode(audit.subarray(0, 12_000)).split("\n")
      .length,
    message: /^The line isn't UTF-8$/,
  },
  {
    name: "a deleted record",
    bytes: joinLines(lines.toSpliced(7, 1)),
    line: 8,
    message: /^The record has another number: one is missing, added or moved$/,
  },
  {
    name: "line ends that were converted",
    bytes: joinLines(lines.map((line) => `${line}\r`)),
    line: 1,
    message: /^The line ends with CR LF; was it converted on the way\?$/,
  },
  {
    name: "a lone surrogate",
    bytes: joinLines(
      lines.with(
        1,
        lines[1]!.replace('"proposal_text":"', '"proposal_text":"\\ud800'),
      ),
    ),
    line: 2,
    message: /^The line isn't in canonical form$/,
  },
  {
    name: "nesting without end",
    bytes: joinLines(lines.with(1, '{"content":'.repeat(10_000))),
    line: 2,
    message: /^The line isn't one JSON value$/,
  },
  {
    name: "closed nesting as deep as a line allows",
    bytes: joinLines(
      lines.with(1, `${"[".repeat(60_000)}${"]".repeat(60_000)}`),
    ),
    line: 2,
    message: /^The line isn't a record$/,
  },
  {
    name: "a line over the most bytes",
    bytes: joinLines(lines.with(1, `"${"x".repeat(131_071)}"`)),
    line: 2,
    message: /^The line is over 131072 bytes long$/,
  },
];

function invalidAt(at: number): Uint8Array {
  const bytes = audit.slice();
  bytes[at] = 0xff;
  return bytes;
}

for (const { name, bytes, line, message } of DAMAGES) {
  Deno.test(`verifyRun() has a finding of its own for ${name}`, async () => {
    const found = await auditDiscrepancy(bytes);
    assert.equal(found.file, "audit.jsonl");
    assert.equal(found.line, line);
    assert.match(found.message, message);
  });
}

Deno.test("verifyRun() says where, expected and found", async () => {
  const altered = lines.map((line) =>
    line.replace('"stop_reason":"finish_accepted"', '"stop_reason":"cancelled"')
  );
  assert.deepEqual(await auditDiscrepancy(joinLines(altered)), {
    code: "changed",
    check: "derived events",
    file: "audit.jsonl",
    line: 29,
    event: 29,
    field: "content.stop_reason",
    message: "It doesn't follow from the facts before it",
    expected: '"finish_accepted"',
    found: '"cancelled"',
  });
});

Deno.test("verifyRun() refuses work that was begun after the run's own deadline", async () => {
  const audit = parsed(lines).map((record, at) => {
    const late = { ...record, monotonic_ms: (at + 1) * 2 ** 40 };
    const total = { total: 2 ** 40 * (at + 1) };
    const { event, content } = record;
    return event === "times_measured" || event === "run_ended"
      ? { ...late, content: { ...content as JsonObject, elapsed_ms: total } }
      : late;
  });
  const { discrepancy } = await verifyMutant(chainAnew(baseline, { audit }));
  assert.deepEqual(
    [discrepancy?.line, discrepancy?.message],
    [3, "The run's deadline had passed, and nothing more was to begin"],
  );
});
