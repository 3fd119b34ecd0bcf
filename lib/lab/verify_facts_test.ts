import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { factContradiction } from "./verify_facts.ts";

const EXPECTED = { "TASK.txt": "a".repeat(64), "toy_math.py": "b".repeat(64) };
const OTHER = "c".repeat(64);

/** The field of a fact that can't be, or undefined. */
function field(
  event: string,
  at: string,
  content: JsonObject,
  { source = "stdio", editOpen = false, number = 1 } = {},
): string | undefined {
  return factContradiction(
    { event, kind: "fact", at, proposal_number: number, content },
    { source, expected: EXPECTED, editOpen },
  )?.field;
}

const proposal = (content: JsonObject, source = "stdio", number = 1) =>
  field("proposal_received", "generation", content, { source, number });

Deno.test("factContradiction() takes one form of a proposal, and the plainer one", () => {
  const text = { proposal_text: "{}" };
  assert.equal(proposal(text), undefined);
  assert.equal(proposal({ failed: "cancelled" }), undefined);
  assert.equal(proposal({ ...text, failed: "time_limit" }), undefined);
  assert.equal(proposal({}), "content");
  assert.equal(proposal({ ...text, proposal_base64: "/w==" }), "content");
  assert.equal(proposal({ proposal_base64: "/w==" }), undefined);
  assert.equal(
    proposal({ proposal_base64: "e30=" }),
    "content.proposal_base64",
  );
});

Deno.test("factContradiction() knows the script, and who tells of itself", () => {
  const [first = "", second = ""] = baseline;
  const said = (proposal_text: string, number: number) =>
    proposal({ proposal_text }, "scripted", number);
  assert.equal(said(first, 1), undefined);
  assert.equal(said(second, 2), undefined);
  assert.equal(said(second, 1), "content.proposal_text");
  assert.equal(said(first, 7), "content.proposal_text");
  const told = { proposal_text: "{}", source_facts: {} };
  assert.equal(proposal(told), "content.source_facts");
  assert.equal(proposal(told, "model"), undefined);
  assert.equal(field("tokens_counted", "assembly", { tokens: 1 }), "event");
});

Deno.test("factContradiction() lets only the deadline end an evaluation", () => {
  const stop = (at: string, word: string) =>
    field("stop_requested", at, { stop: word });
  assert.equal(stop("before_dispatch", "cancelled"), undefined);
  assert.equal(stop("before_evaluation", "run_expired"), undefined);
  assert.equal(stop("before_evaluation", "cancelled"), "content.stop");
  assert.equal(stop("during_evaluation", "call_expired"), "content.stop");
});

Deno.test("factContradiction() wants a change to be one", () => {
  const change = (finding: string, sha256: string | null) =>
    field("file_changed", "snapshot", { file: "TASK.txt", finding, sha256 });
  assert.equal(change("bytes_changed", OTHER), undefined);
  assert.equal(change("missing", null), undefined);
  assert.equal(change("bytes_changed", null), "content.sha256");
  assert.equal(change("missing", OTHER), "content.sha256");
  assert.equal(change("bytes_changed", EXPECTED["TASK.txt"]), "content.sha256");
});

Deno.test("factContradiction() knows which step of an edit can fail how", () => {
  const fault = (
    at: string,
    step: string,
    cause: string,
    error: string | null,
  ) => field("edit_fault", at, { step, cause, error, found: "before" });
  assert.equal(fault("backup", "backup", "io", "EIO"), undefined);
  assert.equal(fault("commit", "rename", "io", "EIO"), undefined);
  assert.equal(fault("commit", "recheck", "cancelled", null), undefined);
  assert.equal(fault("commit", "read_back", "target_changed", null), undefined);
  assert.equal(fault("commit", "backup", "io", "EIO"), "content.step");
  assert.equal(fault("backup", "rename", "io", "EIO"), "content.step");
  assert.equal(fault("commit", "rename", "cancelled", null), "content.cause");
  assert.equal(fault("commit", "rename", "io", null), "content.error");
  assert.equal(fault("commit", "recheck", "cancelled", "EIO"), "content.error");
});

Deno.test("factContradiction() lets recovery find an edit only where one was open", () => {
  const found = (content: JsonObject, editOpen: boolean) =>
    field("workspace_found", "recovery", content, { editOpen });
  const change = { file: "TASK.txt", finding: "missing", sha256: null };
  assert.equal(found({ bytes: "before", change: null }, false), undefined);
  assert.equal(found({ bytes: "after", change: null }, true), undefined);
  assert.equal(found({ bytes: "after", change: null }, false), "content.bytes");
  assert.equal(found({ bytes: "before", change }, true), "content.change");
  assert.equal(found({ bytes: "other", change }, true), undefined);
});
