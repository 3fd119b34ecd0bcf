// Lab Part 2: one checkpoint, pinned file by file. Any other one is a declared
// extension whose manifest the user wrote.

import { z } from "../system/zod.ts";
import type { Json, JsonObject } from "../agent/json.ts";
import pinnedTable from "../../fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json" with {
  type: "json",
};
import { firstIssue } from "../system/first_issue.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { scanJson } from "../system/strict_json.ts";
import { refuse } from "./model_refusal.ts";

/** What a file's bytes must be. */
export interface DeclaredFile {
  readonly name: string;
  /** In bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256?: string;
  /** Git's blob id: SHA-1 over a header and the bytes. */
  readonly gitBlobSha1?: string;
}

/** Token ids that generation begins, pads and ends with. */
export interface TokenIds {
  readonly begin: number;
  readonly pad: number;
  readonly end: readonly number[];
}

/** A checkpoint, as it is declared before anything of it is read. */
export interface CheckpointManifest {
  /** Whether it is the lab's own checkpoint. */
  readonly pinned: boolean;
  readonly label: string;
  readonly repository: string | null;
  /** A commit, as 40 hexadecimal digits. */
  readonly revision: string | null;
  readonly license: string | null;
  readonly files: readonly DeclaredFile[];
  readonly tokenIds: TokenIds;
  /** The configuration that `config.json` must equal; null for an extension. */
  readonly config: JsonObject | null;
}

/** Files without which there is nothing to run. */
export const NEEDED_FILES = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "model.safetensors",
] as const;

/** Most bytes of an extension's manifest. */
export const MAX_MANIFEST_FILE_BYTES = 64 * 1_024;

const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const tokenId = z.int().min(0).max(2 ** 31 - 1);

const manifestSchema = z.strictObject({
  label: z.string().regex(/^[\x21-\x7e][\x20-\x7e]{0,99}$/),
  repository: z.string().max(200).optional(),
  revision: hex(40).optional(),
  license: z.string().max(100).optional(),
  parameters: z.int().min(1).optional(),
  weight_format: z.literal("safetensors").optional(),
  files: z.array(z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
    bytes: z.int().min(1),
    sha256: hex(64).optional(),
    git_blob_sha1: hex(40).optional(),
  })).min(1).max(32),
  token_ids: z.strictObject({
    begin: tokenId,
    pad: tokenId,
    end: z.array(tokenId).min(1).max(8),
  }),
});

/**
 * Reads an extension's manifest: the file of `--checkpoint FILE`.
 *
 * @throws {ModelRefusal} If it doesn't declare a checkpoint.
 */
export function readCheckpointManifest(bytes: Uint8Array): CheckpointManifest {
  if (bytes.length > MAX_MANIFEST_FILE_BYTES) {
    refuse(
      `The checkpoint's manifest has ${bytes.length} bytes: the most is ${MAX_MANIFEST_FILE_BYTES}`,
    );
  }
  const scan = scanJson(bytes, { maxDepth: 8 });
  if (!scan.ok) {
    refuse(`The checkpoint's manifest isn't JSON: ${scan.message}`);
  }
  const plain = toPlainJson(scan.value);
  if (!plain.ok) {
    refuse(`The checkpoint's manifest can't be used: ${plain.message}`);
  }
  const manifest = declared(plain.value);
  const undigested = manifest.files.find(({ sha256 }) => sha256 === undefined);
  if (undigested !== undefined) {
    refuse(
      `The checkpoint's manifest gives no sha256 for "${undigested.name}": every file needs one`,
    );
  }
  return manifest;
}

function declared(value: Json): CheckpointManifest {
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    const { place, why } = firstIssue(parsed.error);
    const fault = place === "" ? why : `${place}: ${why}`;
    refuse(`The checkpoint's manifest doesn't declare one: ${fault}`);
  }
  const { label, repository, revision, license, files, token_ids } =
    parsed.data;
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name.toLowerCase())) {
      refuse(`The checkpoint's manifest names "${name}" twice`);
    }
    names.add(name.toLowerCase());
  }
  const absent = NEEDED_FILES.find((name) =>
    !files.some((file) => file.name === name)
  );
  if (absent !== undefined) {
    refuse(`The checkpoint's manifest doesn't name "${absent}"`);
  }
  return {
    pinned: false,
    label,
    repository: repository ?? null,
    revision: revision ?? null,
    license: license ?? null,
    files: files.map(({ name, bytes, sha256, git_blob_sha1 }) => ({
      name,
      bytes,
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(git_blob_sha1 === undefined ? {} : { gitBlobSha1: git_blob_sha1 }),
    })),
    tokenIds: token_ids,
    config: null,
  };
}

/** The lab's checkpoint. */
export const PINNED_CHECKPOINT: CheckpointManifest = pinnedCheckpoint();

function pinnedCheckpoint(): CheckpointManifest {
  const { config, ...table } = pinnedTable;
  return { ...declared(table), pinned: true, config };
}
