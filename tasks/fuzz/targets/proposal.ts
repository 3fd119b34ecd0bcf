// The admission of proposals, against the contract written a second time.

import assert from "node:assert/strict";
import type { Random } from "../../../tests/expression_generator.ts";
import { askQuestion } from "../../../tests/expression_generator.ts";
import { admitProposal } from "../../../lib/lab/contract/admit_proposal.ts";
import {
  assertMessage,
  assertOffset,
  shapeOf,
  twice,
} from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson, writeJson } from "../json_grammar.ts";
import { judgeProposal } from "../judge_proposal.ts";

/** Fuzzes the boundary of proposals. */
export function proposalTarget(admit = admitProposal): FuzzTarget {
  return {
    name: "proposal",
    maxBytes: 2_200,
    words: [...JSON_WORDS, ...NAMES],
    generate: (random) => bytesOf(writeProposal(random)),
    mutate: mutateJson,
    judge: (input) => judge(input, admit),
  };
}

function judge(input: Uint8Array, admit: typeof admitProposal): string {
  const found = twice(() => admit(input));
  const second = judgeProposal(input);
  if (found.ok) {
    assert.ok(second.ok, `accepted, not ${second.ok || second.code}`);
    assert.deepEqual({ ...found.action }, { ...second.action });
    const again = admit(bytesOf(JSON.stringify(found.action)));
    assert.deepEqual(again, found, "the action written down is another");
    return `action ${found.action.action}`;
  }
  assert.ok(!second.ok, `refused (${found.error}), where all is in order`);
  if (second.code === "json") assert.match(found.error, JSON_CODES);
  else assert.equal(found.error, second.code);
  assertMessage(found.message, 256);
  if (found.offset !== undefined) assertOffset(found.offset, input.length);
  const { action } = found;
  if (action !== undefined) assert.ok(ACTIONS.includes(action));
  return `${found.error} ${action} ${shapeOf(found.message)}`;
}

const JSON_CODES = /^(?:invalid_json|json_nesting_limit|duplicate_key)$/;
const ACTIONS: readonly string[] = ["read", "replace", "test", "finish"];
const NAMES: readonly string[] = [
  ...ACTIONS,
  ..."action file function old new version clamp total TASK.txt toy_math.py"
    .split(" "),
];

function writeProposal(random: Random): string {
  if (random.chance(10)) return writeJson(random, 9);
  const [functionName, text] = askQuestion(random);
  const members: [string, string][] = [
    ["action", JSON.stringify(random.pick(ACTIONS))],
    ["file", JSON.stringify(random.pick(["TASK.txt", "toy_math.py"]))],
    ["function", JSON.stringify(functionName)],
    ["old", JSON.stringify(random.pick(["x", "unit + qty + fee"]))],
    ["new", JSON.stringify(text)],
    ["version", String(random.below(8))],
  ];
  const wanted: Readonly<Record<string, readonly string[]>> = {
    read: ["file"],
    replace: ["function", "old", "new", "version"],
    finish: ["version"],
  };
  const keys = ["action", ...wanted[JSON.parse(members[0]![1])] ?? []];
  const written = members.filter(([key]) =>
    keys.includes(key) !== random.chance(2)
  ).map(([key, value]) =>
    `"${random.chance(2) ? "x" : key}":${
      random.chance(5) ? writeJson(random, random.below(3)) : value
    }`
  );
  return `{${written.join(random.chance(50) ? "," : ", ")}}`;
}
