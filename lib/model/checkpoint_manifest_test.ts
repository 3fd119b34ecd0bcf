import {
  deepStrictEqual as equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import {
  MAX_MANIFEST_FILE_BYTES,
  PINNED_CHECKPOINT,
  readCheckpointManifest,
} from "./checkpoint_manifest.ts";
import { ModelRefusal } from "./model_refusal.ts";

const SHA256 = "0".repeat(64);
const BLOB = "1".repeat(40);
const file = (name: string) => ({ name, bytes: 5, sha256: SHA256 });
const DECLARED = {
  label: "tiny",
  files: [
    file("config.json"),
    file("tokenizer.json"),
    file("tokenizer_config.json"),
    { ...file("model.safetensors"), git_blob_sha1: BLOB },
  ],
  token_ids: { begin: 0, pad: 0, end: [3] },
};

const bytes = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value));
const refused = (value: unknown, why: RegExp) =>
  throws(
    () =>
      readCheckpointManifest(
        value instanceof Uint8Array ? value : bytes(value),
      ),
    (error) => {
      ok(error instanceof ModelRefusal);
      match(error.message, why);
      match(error.message, /^The checkpoint's manifest [^\n]*$/);
      return true;
    },
  );

Deno.test("readCheckpointManifest() reads an extension", () => {
  equal(readCheckpointManifest(bytes(DECLARED)), {
    pinned: false,
    label: "tiny",
    repository: null,
    revision: null,
    license: null,
    files: [
      file("config.json"),
      file("tokenizer.json"),
      file("tokenizer_config.json"),
      { ...file("model.safetensors"), gitBlobSha1: BLOB },
    ],
    tokenIds: { begin: 0, pad: 0, end: [3] },
    config: null,
  });
  const origin = {
    repository: "someone/something",
    revision: BLOB,
    license: "MIT",
  };
  const read = readCheckpointManifest(bytes({ ...DECLARED, ...origin }));
  equal([read.repository, read.revision, read.license], Object.values(origin));
});

Deno.test("readCheckpointManifest() refuses what isn't a manifest, in one sentence", () => {
  const [first, ...rest] = DECLARED.files;
  refused(new TextEncoder().encode("{"), /isn't JSON/);
  refused([DECLARED], /doesn't declare one/);
  refused({ ...DECLARED, config: {} }, /doesn't declare one: .*config/);
  refused(
    { ...DECLARED, "\u001b[31m\n": 1 },
    /declare one: Unrecognized key: "\\u\{1b\}\[31m\\u\{a\}"$/,
  );
  refused(
    { ...DECLARED, ["k".repeat(60_000)]: 1 },
    / Unrecognized key: "k{140}…$/,
  );
  refused({ ...DECLARED, label: "" }, /label/);
  refused({ ...DECLARED, label: "a\nb" }, /label/);
  refused({ ...DECLARED, files: rest }, /doesn't name "config.json"/);
  refused(
    { ...DECLARED, files: [...DECLARED.files, file("CONFIG.json")] },
    /names "CONFIG.json" twice/,
  );
  refused(
    {
      ...DECLARED,
      files: [{ name: first!.name, bytes: 5, git_blob_sha1: BLOB }, ...rest],
    },
    /gives no sha256 for "config.json"/,
  );
  for (const name of ["../config.json", "a/b", "", ".hidden", "a\0b"]) {
    refused(
      { ...DECLARED, files: [...DECLARED.files, file(name)] },
      /files\.4\.name/,
    );
  }
  for (const count of [0, -1, 1.5, 2 ** 60]) {
    refused(
      { ...DECLARED, files: [{ ...first, bytes: count }, ...rest] },
      /bytes|cannot be kept/,
    );
  }
  refused(
    { ...DECLARED, token_ids: { begin: 0, pad: 0, end: [] } },
    /token_ids\.end/,
  );
  refused({ ...DECLARED, token_ids: { begin: 0, pad: 0 } }, /token_ids\.end/);
  refused(
    { ...DECLARED, token_ids: { begin: -1, pad: 0, end: [1] } },
    /token_ids\.begin/,
  );
});

Deno.test("readCheckpointManifest() takes 64 KiB and no byte more", () => {
  const text = JSON.stringify(DECLARED);
  const padded = (length: number) =>
    new TextEncoder().encode(text.padEnd(length));
  equal(readCheckpointManifest(padded(MAX_MANIFEST_FILE_BYTES)).label, "tiny");
  refused(
    padded(MAX_MANIFEST_FILE_BYTES + 1),
    /has 65537 bytes: the most is 65536/,
  );
});

Deno.test("PINNED_CHECKPOINT is the lab's table", () => {
  equal(PINNED_CHECKPOINT.pinned, true);
  equal(PINNED_CHECKPOINT.repository, "Qwen/Qwen2.5-Coder-0.5B-Instruct");
  equal(PINNED_CHECKPOINT.revision, "ea3f2471cf1b1f0db85067f1ef93848e38e88c25");
  equal(PINNED_CHECKPOINT.license, "Apache-2.0");
  equal(PINNED_CHECKPOINT.files.length, 8);
  equal(
    PINNED_CHECKPOINT.files.reduce((sum, { bytes }) => sum + bytes, 0),
    999_597_691,
  );
  equal(PINNED_CHECKPOINT.tokenIds, {
    begin: 151_643,
    pad: 151_643,
    end: [151_645, 151_643],
  });
  for (const { name, sha256, gitBlobSha1 } of PINNED_CHECKPOINT.files) {
    equal([name, (sha256 === undefined) !== (gitBlobSha1 === undefined)], [
      name,
      true,
    ]);
  }
});
