import assert from "node:assert/strict";
import { type Proposed, viewedRun } from "../../tests/viewed_run.ts";
import { paint } from "./colors.ts";
import { fullProposalLines } from "./full_proposal.ts";
import { LAB_WORDS } from "./lab_task_words.ts";

/** The lines of a first proposal from its raw output on, without numbers. */
async function shown(proposed: Proposed): Promise<string[]> {
  using run = await viewedRun([proposed]);
  const [proposal] = run.view().proposals;
  const lines = fullProposalLines(
    proposal!,
    undefined,
    LAB_WORDS,
    paint(false),
  ).map((line) => line.replace(/event \d+/, "event"));
  const at = lines.findIndex((line) => line.startsWith("  raw output"));
  return at === -1 ? [] : lines.slice(at, at + 2);
}

Deno.test("fullProposalLines() says what raw output is, where it isn't text", async () => {
  const bytes = new Uint8Array([0xff, 0xfe]);
  const cases: [Proposed, string[]][] = [
    ["text", ["  raw output (event)", "  │ text"]],
    [
      { proposal_base64: bytes.toBase64() },
      ["  raw output, not UTF-8, as base64 (event)", "  │ //4="],
    ],
    ["", ["  raw output (event): (empty)", "  observation (event)"]],
    [{ failed: "cancelled" }, []],
  ];
  for (const [proposed, lines] of cases) {
    assert.deepEqual(await shown(proposed), lines, JSON.stringify(proposed));
  }
});
