import assert from "node:assert/strict";
import { checkpointPlan, pinnedPlan } from "./checkpoint_plan.ts";
import type { Json, JsonObject } from "../agent/json.ts";

const GOOD: JsonObject = {
  label: "small",
  repository: "owner/name",
  revision: "0123456789abcdef0123456789abcdef01234567",
  files: [{ name: "a.json", bytes: 3, sha256: "0".repeat(64) }],
};

function fault(declaration: Json): string {
  const made = checkpointPlan(declaration, { pinned: false, shownAs: '"x"' });
  assert.ok(!made.ok);
  assert.equal(made.refusal.code, "checkpoint_invalid");
  return made.refusal.why;
}

Deno.test("pinnedPlan() is the lab's table", () => {
  const plan = pinnedPlan();
  const prefix = "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct/" +
    "resolve/ea3f2471cf1b1f0db85067f1ef93848e38e88c25/";
  assert.deepEqual(
    plan.files.map(({ name, bytes, url }) => {
      assert.equal(url, prefix + name);
      return [name, bytes];
    }),
    [
      ["config.json", 659],
      ["generation_config.json", 243],
      ["tokenizer_config.json", 7_305],
      ["tokenizer.json", 7_031_645],
      ["vocab.json", 2_776_833],
      ["merges.txt", 1_671_839],
      ["model.safetensors", 988_097_824],
      ["LICENSE", 11_343],
    ],
  );
  assert.equal(plan.totalBytes, 999_597_691);
  assert.deepEqual([plan.pinned, plan.parameters], [true, 494_032_768]);
  assert.deepEqual([plan.diskBytes, plan.memoryBytes], [3e9, 3e9]);
  assert.deepEqual(plan.files[6]!.identity, {
    sha256: "f9523886352217ded3aeeef552b381af79d568c6d49a4b9e423288cea56b0a44",
  });
  assert.deepEqual(plan.files[0]!.identity, {
    gitBlobSha1: "e2aa18293b0dd66539341467fa454878a5adb2be",
  });
});

Deno.test("checkpointPlan() reads an extension", () => {
  const made = checkpointPlan(GOOD, { pinned: false, shownAs: '"x"' });
  assert.ok(made.ok);
  assert.deepEqual(made.plan, {
    label: "small",
    pinned: false,
    repository: "owner/name",
    revision: "0123456789abcdef0123456789abcdef01234567",
    license: "not declared",
    parameters: 0,
    files: [{
      name: "a.json",
      bytes: 3,
      identity: { sha256: "0".repeat(64) },
      url: "https://huggingface.co/owner/name/resolve/" +
        "0123456789abcdef0123456789abcdef01234567/a.json",
    }],
    totalBytes: 3,
    diskBytes: 1_000_000,
    memoryBytes: 1_000_000,
  });
});

Deno.test("checkpointPlan() takes 1,200,000,000 bytes and not one more", () => {
  const sized = (bytes: number): Json => ({
    ...GOOD,
    files: [{ name: "a", bytes, sha256: "0".repeat(64) }],
  });
  const made = checkpointPlan(sized(1_200_000_000), {
    pinned: false,
    shownAs: "x",
  });
  assert.ok(made.ok);
  assert.match(fault(sized(1_200_000_001)), /over the ceiling of 1200000000/);
});

Deno.test("checkpointPlan() refuses what could name another file or place", () => {
  const file = { name: "a", bytes: 1, sha256: "0".repeat(64) };
  const named = (name: string): Json => ({
    ...GOOD,
    files: [{ ...file, name }],
  });
  for (
    const name of ["../a", "a/b", "", ".a", "-a", "a\0", "a b", "a?b", "a%2fb"]
  ) assert.match(fault(named(name)), /^files\.0\.name/, name);
  for (const name of ["acquisition.json", "Acquisition.JSON", "x.part"]) {
    assert.match(fault(named(name)), /reserved/, name);
  }
  assert.match(
    fault({ ...GOOD, files: [file, { ...file, name: "A" }] }),
    /occurs twice/,
  );
  assert.match(
    fault({ ...GOOD, files: [{ name: "a", bytes: 1 }] }),
    /neither sha256 nor git_blob_sha1/,
  );
  for (const revision of ["main", "0123", "0".repeat(39) + "G"]) {
    assert.match(fault({ ...GOOD, revision }), /^revision/);
  }
  for (const repository of ["name", "a/b/c", "../a", "a/..", "/a", "a/b?x"]) {
    assert.match(fault({ ...GOOD, repository }), /^repository/, repository);
  }
  assert.match(fault({ ...GOOD, files: [] }), /^files/);
  assert.match(fault({ ...GOOD, files: [{ ...file, bytes: 0 }] }), /bytes/);
  assert.match(fault(null), /./);
});
