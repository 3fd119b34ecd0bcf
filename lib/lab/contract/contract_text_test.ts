import assert from "node:assert/strict";
import { admitProposal } from "./admit_proposal.ts";
import { contractText } from "./contract_text.ts";

Deno.test("contractText() is this text, the same at every call", () => {
  assert.equal(
    contractText(),
    `\
Answer with one JSON object and nothing else. It has exactly the keys of one of these four lines:
{"action":"read","file":"toy_math.py"}
{"action":"replace","function":"clamp","old":"CURRENT EXPRESSION","new":"NEW EXPRESSION","version":0}
{"action":"test"}
{"action":"finish","version":0}
file: "TASK.txt" or "toy_math.py"
function: "clamp" or "total"
old, new: return expressions on one line, 1 to 256 printable ASCII characters; old is the exact current one
version: the current version, an integer 0 to 6 without quotes`,
  );
});

Deno.test("contractText() shows an admissible example of each action", () => {
  const examples = contractText().split("\n").filter((line) =>
    line.startsWith("{")
  );
  const verdicts = examples.map((line) =>
    admitProposal(new TextEncoder().encode(line))
  );
  assert.deepEqual(
    verdicts.map((verdict) => verdict.ok && verdict.action.action),
    ["read", "replace", "test", "finish"],
  );
});
