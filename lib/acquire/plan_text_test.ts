import assert from "node:assert/strict";
import { pinnedPlan } from "./checkpoint_plan.ts";
import { LAB_LIMITS } from "./limits.ts";
import { filesText, planJson, planText } from "./plan_text.ts";

Deno.test("planText() shows every file, identity, address and limit", () => {
  const plan = pinnedPlan();
  const text = planText(plan, LAB_LIMITS);
  const rows = text.split("\n").map((line) => line.trim().split(/ {2,}/));
  for (const { name, bytes, identity } of plan.files) {
    const row = rows.find(([first]) => first === name);
    assert.deepEqual(row, [
      name,
      bytes.toLocaleString("en"),
      identity.sha256 === undefined
        ? `Git blob ${identity.gitBlobSha1}`
        : `SHA-256 ${identity.sha256}`,
    ]);
  }
  for (
    const part of [
      "8 files                   999,597,691",
      "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct/resolve/" +
      "ea3f2471cf1b1f0db85067f1ef93848e38e88c25/\n",
      "1,200,000,000 bytes of payload",
      "20 minutes, of the 30 ",
      "60 s without a byte",
      "Apache-2.0, 494,032,768 parameters",
    ]
  ) assert.ok(text.includes(part), part);
  assert.ok(text.endsWith("\n"));
  // What is asked before an acquisition says the rest in words of its own.
  assert.ok(text.startsWith(`${filesText(plan)}\n`));
  assert.doesNotMatch(filesText(plan), /Limits|Estimated|minutes|memory/);
});

Deno.test("planJson() has stable fields", () => {
  const json = planJson(pinnedPlan(), LAB_LIMITS);
  assert.deepEqual(Object.keys(json), [
    "label",
    "pinned",
    "repository",
    "revision",
    "license",
    "parameters",
    "files",
    "total_bytes",
    "hosts",
    "limits",
    "estimates",
  ]);
  assert.deepEqual((json["files"] as unknown[])[6], {
    name: "model.safetensors",
    bytes: 988_097_824,
    sha256: "f9523886352217ded3aeeef552b381af79d568c6d49a4b9e423288cea56b0a44",
    git_blob_sha1: null,
    url: "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct/resolve/" +
      "ea3f2471cf1b1f0db85067f1ef93848e38e88c25/model.safetensors",
  });
  assert.deepEqual(json["limits"], {
    payload_bytes: 1_200_000_000,
    acquire_seconds: 1_200,
    window_seconds: 1_800,
    idle_seconds: 60,
    requests_per_file: 2,
    redirects_per_request: 5,
  });
});
