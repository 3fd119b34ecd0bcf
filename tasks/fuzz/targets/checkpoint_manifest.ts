// The manifest of a declared checkpoint, against a second reading of its rules.

import assert from "node:assert/strict";
import { readCheckpointManifest } from "../../../lib/model/checkpoint_manifest.ts";
import { ModelRefusal } from "../../../lib/model/model_refusal.ts";
import type { Random } from "../../../tests/expression_generator.ts";
import { assertMessage, outcomeOf, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson, writeJson } from "../json_grammar.ts";
import { judgeJson, losesNumber } from "../judge_json.ts";

/** Fuzzes the reader of checkpoints' manifests. */
export function checkpointManifestTarget(
  read = readCheckpointManifest,
): FuzzTarget {
  return {
    name: "checkpoint_manifest",
    maxBytes: 66_000,
    words: [
      ...JSON_WORDS,
      ..."label repository revision license parameters weight_format files name"
        .split(" "),
      ..."bytes sha256 git_blob_sha1 token_ids begin pad end safetensors".split(
        " ",
      ),
      ...NEEDED,
      "../x",
      ".hidden",
      "CONFIG.JSON",
    ],
    generate: (random) => bytesOf(writeManifest(random)),
    mutate: mutateJson,
    judge: (input) => judge(input, read),
  };
}

const NEEDED = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "model.safetensors",
];

function judge(input: Uint8Array, read: typeof readCheckpointManifest): string {
  const found = twice(() => outcomeOf(() => read(input), ModelRefusal));
  const second = secondOpinion(input);
  if (!found.ok) {
    assert.ok(!second, `refused, where it declares one: ${found.message}`);
    assertMessage(found.message, 1_024);
    return shapeOf(found.message);
  }
  assert.ok(second, "taken, where it declares none");
  const { label, repository, revision, license, files, tokenIds } = found.value;
  const written = {
    label,
    ...repository === null ? {} : { repository },
    ...revision === null ? {} : { revision },
    ...license === null ? {} : { license },
    files: files.map(({ gitBlobSha1, ...file }) => ({
      ...file,
      ...gitBlobSha1 === undefined ? {} : { git_blob_sha1: gitBlobSha1 },
    })),
    token_ids: tokenIds,
  };
  assert.deepEqual(read(bytesOf(JSON.stringify(written))), found.value);
  return `manifest of ${Math.min(files.length, 6)}`;
}

/** Whether the bytes declare a checkpoint. */
function secondOpinion(bytes: Uint8Array): boolean {
  if (bytes.length > 65_536) return false;
  const json = judgeJson(bytes, 8);
  if (!json.ok || losesNumber(bytes) || !isRecord(json.value)) return false;
  const { files, token_ids: ids } = json.value;
  return fits(json.value, {
    label: (one) => /^[!-~][ -~]{0,99}$/.test(text(one)),
    repository: (one) => one === undefined || isText(one, 200),
    revision: (one) => one === undefined || /^[0-9a-f]{40}$/.test(text(one)),
    license: (one) => one === undefined || isText(one, 100),
    parameters: (one) => one === undefined || isWhole(one, 1),
    weight_format: (one) => one === undefined || one === "safetensors",
    files: () => Array.isArray(files) && areFiles(files),
    token_ids: () =>
      isRecord(ids) && fits(ids, {
        begin: isTokenId,
        pad: isTokenId,
        end: (one) =>
          Array.isArray(one) && one.length >= 1 && one.length <= 8 &&
          one.every(isTokenId),
      }),
  });
}

function areFiles(files: readonly unknown[]): boolean {
  if (files.length < 1 || files.length > 32) return false;
  const each = files.every((file) =>
    isRecord(file) && fits(file, {
      name: (one) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text(one)),
      bytes: (one) => isWhole(one, 1),
      sha256: (one) => /^[0-9a-f]{64}$/.test(text(one)),
      git_blob_sha1: (one) =>
        one === undefined || /^[0-9a-f]{40}$/.test(text(one)),
    })
  );
  if (!each) return false;
  const names = (files as { name: string }[]).map(({ name }) => name);
  return new Set(names.map((name) => name.toLowerCase())).size ===
      names.length &&
    NEEDED.every((name) => names.includes(name));
}

/** Whether an object's fields pass their checks, and there is no other. */
function fits(
  value: Record<string, unknown>,
  checks: Readonly<Record<string, (one: unknown) => boolean>>,
): boolean {
  return Object.keys(value).every((key) => Object.hasOwn(checks, key)) &&
    Object.entries(checks).every(([key, check]) =>
      check(Object.hasOwn(value, key) ? value[key] : undefined)
    );
}

/** A text, or one that no rule takes. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "\n";
}

function isText(value: unknown, most: number): boolean {
  return typeof value === "string" && value.length <= most;
}

function isTokenId(value: unknown): boolean {
  return isWhole(value, 0) && Number(value) <= 2 ** 31 - 1;
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function writeManifest(random: Random): string {
  if (random.chance(5)) return writeJson(random, 4);
  const optional = (key: string, value: unknown) =>
    random.chance(40) ? { [key]: value } : {};
  return JSON.stringify({
    label: random.pick(["tiny", "a b", "~"]),
    ...optional("repository", "owner/name"),
    ...optional("revision", "0".repeat(40)),
    ...optional("license", "MIT"),
    ...optional("parameters", 1),
    ...optional("weight_format", "safetensors"),
    files: [...NEEDED, ...random.chance(30) ? ["merges.txt"] : []].map((
      name,
    ) => ({
      name,
      bytes: 1 + random.below(100),
      sha256: "ab".repeat(32),
      ...optional("git_blob_sha1", "1".repeat(40)),
    })),
    token_ids: { begin: 0, pad: random.below(9), end: [random.below(9)] },
  });
}
