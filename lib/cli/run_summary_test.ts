import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import { REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import { row, runSummary } from "./run_summary.ts";

function finalOf(folder: string): JsonObject {
  return JSON.parse(Deno.readTextFileSync(`${folder}/final.json`));
}

Deno.test("runSummary() keeps the three facts apart", async () => {
  using run = await viewedRun([REPAIR[0], REPAIR[2]]);
  assert.equal(
    runSummary(finalOf(run.folder), "runs/a", false),
    `
Run 00000000-0000-4000-8000-000000000000
  Proposals from    the scripted baseline; no model was called
  Proposals         3, 0 refused
  How it stopped    cancelled: stopped on request
  What passes       public 2 of 4, held-out 4 of 8; final evaluation performed
  Verified success  no
  Time              29 ms in all, edit 3 ms, evaluation 2 ms, generation 3 ms,
                    validation 2 ms, other 19 ms
  Evidence          runs/a/, 16 records
                    See it: tinycoder show runs/a
`,
  );
});

Deno.test("runSummary() says why nothing was evaluated", async () => {
  using run = await viewedRun(REPAIR);
  const final = {
    ...finalOf(run.folder),
    public: null,
    held_out: null,
    final_evaluation: "deadline",
    stop_reason: "time_limit",
    detail: "run_expired",
    verified_success: false,
  };
  const text = runSummary(final, "a", true);
  assert.match(
    text,
    /What passes {7}not evaluated: the deadline had passed \(deadline\)\n/,
  );
  assert.match(
    text,
    /time_limit: a deadline passed \(the run's deadline passed\)/,
  );
  assert(text.includes("Verified success  \x1b[31mno\x1b[0m\n"));
});

Deno.test("runSummary() says that a recovered run is no verified success", async () => {
  using run = await viewedRun(REPAIR);
  const final = {
    ...finalOf(run.folder),
    recovered: true,
    verified_success: false,
  };
  assert.match(
    runSummary(final, "a", false),
    /\n {2}Verified success {2}no: a recovered run never is one\n/,
  );
});

Deno.test("runSummary() repeats no claim that verification didn't confirm", async () => {
  using run = await viewedRun(REPAIR);
  const said = (verdict: string, holds: boolean) =>
    runSummary(finalOf(run.folder), "my run", false, { verdict, holds });
  const held = said("Verified", true);
  assert.match(held, /Verified success {2}yes\n/);
  assert.match(held, /records\n {20}Verified\n {20}See it: .* 'my run'\n$/);
  assert.match(
    said("It does NOT hold", false),
    /Verified success {2}claimed, but the evidence doesn't hold\n/,
  );
});

Deno.test("row() wraps between pieces, and escapes them", () => {
  const pieces = ["a".repeat(30), "b".repeat(27), "c\x1b"];
  assert.equal(
    row("Name", pieces),
    `  Name              ${pieces[0]}, ${pieces[1]},\n` +
      `                    c\\u{1b}`,
  );
});
