// Lab Part 2: one identity, pinned file by file. What is acquired follows from a
// checkpoint's declaration alone, so that a plan can be shown without a network.

import { firstIssue } from "../system/first_issue.ts";
import { z } from "../system/zod.ts";
import pinnedTable from "../../fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json" with {
  type: "json",
};
import type { Json } from "../agent/json.ts";
import { HUB_HOST } from "./host_rule.ts";
import { LAB_LIMITS } from "./limits.ts";
import { type Attempted, refuse } from "./refusal.ts";

/** What a file's bytes must be; at least one of the two is known. */
export interface FileIdentity {
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly sha256?: string;
  /** Git's blob id: SHA-1 over a header and the bytes. */
  readonly gitBlobSha1?: string;
}

/** One file to acquire. */
export interface PlannedFile {
  readonly name: string;
  /** In bytes. */
  readonly bytes: number;
  readonly identity: FileIdentity;
  readonly url: string;
}

/** Everything that an acquisition of one checkpoint involves. */
export interface CheckpointPlan {
  /** The declaration's own name for the checkpoint. */
  readonly label: string;
  /** Whether it is the lab's checkpoint. */
  readonly pinned: boolean;
  readonly repository: string;
  /** A commit, as 40 hexadecimal digits. */
  readonly revision: string;
  readonly license: string;
  /** Parameters of the network; 0 where the declaration doesn't say. */
  readonly parameters: number;
  readonly files: readonly PlannedFile[];
  /** Sum over the files, in bytes. */
  readonly totalBytes: number;
  /** Free disk to ask for before acquiring, in bytes. */
  readonly diskBytes: number;
  /** Available memory that a trial is estimated to take, in bytes. */
  readonly memoryBytes: number;
}

/** Name of ledger and download manifest in a model folder. */
export const LEDGER_NAME = "acquisition.json";
/** Ending of files that aren't verified; never loaded. */
export const PART_SUFFIX = ".part";

const SHA1 = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

const fileSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  bytes: z.int().min(1),
  sha256: z.string().regex(SHA256).optional(),
  git_blob_sha1: z.string().regex(SHA1).optional(),
});

const declarationSchema = z.object({
  label: z.string().regex(/^[\x21-\x7e][\x20-\x7e]{0,99}$/).optional(),
  repository: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/,
  ),
  revision: z.string().regex(SHA1),
  license: z.string().regex(/^[\x20-\x7e]{1,100}$/).optional(),
  parameters: z.int().min(1).optional(),
  files: z.array(fileSchema).min(1).max(32),
});

/**
 * Reads a checkpoint's declaration; fields that aren't about acquisition are
 * left to others.
 *
 * @param declaration The pinned table, or an extension's manifest.
 * @param options.pinned Whether it is the lab's own.
 * @param options.shownAs What the user calls the declaration, for messages.
 */
export function checkpointPlan(
  declaration: Json,
  options: { readonly pinned: boolean; readonly shownAs: string },
): Attempted<{ readonly plan: CheckpointPlan }> {
  const parsed = declarationSchema.safeParse(declaration);
  if (!parsed.success) {
    return invalid(options.shownAs, firstFault(parsed.error));
  }
  const { repository, revision, files } = parsed.data;
  const fault = namesFault(files);
  if (fault !== null) return invalid(options.shownAs, fault);
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (totalBytes > LAB_LIMITS.ceilingBytes) {
    return invalid(
      options.shownAs,
      `its files total ${totalBytes} bytes, over the ceiling of ` +
        `${LAB_LIMITS.ceilingBytes}`,
    );
  }
  const parameters = parsed.data.parameters ?? 0;
  return {
    ok: true,
    plan: {
      label: parsed.data.label ?? "extension",
      pinned: options.pinned,
      repository,
      revision,
      license: parsed.data.license ?? "not declared",
      parameters,
      files: files.map((file) => ({
        name: file.name,
        bytes: file.bytes,
        identity: {
          ...(file.sha256 === undefined ? {} : { sha256: file.sha256 }),
          ...(file.git_blob_sha1 === undefined
            ? {}
            : { gitBlobSha1: file.git_blob_sha1 }),
        },
        url:
          `https://${HUB_HOST}/${repository}/resolve/${revision}/${file.name}`,
      })),
      totalBytes,
      // The lab asks for 3 GB of disk for its 1.0 GB of files, and calls 2.0 GB
      // of float32 parameters not enough memory: three times the files, and one
      // and a half times the parameters in float32.
      diskBytes: upToMegabytes(3 * totalBytes),
      memoryBytes: upToMegabytes(
        parameters === 0 ? 3 * totalBytes : 6 * parameters,
      ),
    },
  };
}

/** The lab's checkpoint. */
export function pinnedPlan(): CheckpointPlan {
  const { config: _, ...table } = pinnedTable;
  const made = checkpointPlan(table, {
    pinned: true,
    shownAs: "of this program",
  });
  if (!made.ok) throw new Error(made.refusal.why);
  return made.plan;
}

/** Rounds up to whole 100 MB above 1 GB, to whole MB below; in bytes. */
function upToMegabytes(bytes: number): number {
  const step = bytes > 1e9 ? 1e8 : 1e6;
  return Math.ceil(bytes / step) * step;
}

function namesFault(
  files: readonly z.infer<typeof fileSchema>[],
): string | null {
  const seen = new Set<string>();
  for (const { name, sha256, git_blob_sha1 } of files) {
    const folded = name.toLowerCase();
    if (
      folded === LEDGER_NAME || folded.endsWith(PART_SUFFIX)
    ) return `the file name "${name}" is reserved`;
    if (seen.has(folded)) return `the file name "${name}" occurs twice`;
    seen.add(folded);
    if (sha256 === undefined && git_blob_sha1 === undefined) {
      return `"${name}" has neither sha256 nor git_blob_sha1`;
    }
  }
  return null;
}

function firstFault(error: z.ZodError): string {
  const { place, why } = firstIssue(error);
  return place === "" ? why : `${place}: ${why}`;
}

function invalid(shownAs: string, why: string): ReturnType<typeof refuse> {
  return refuse(
    "checkpoint_invalid",
    `Cannot use the checkpoint declaration ${shownAs}`,
    why.replace(/\s*\n\s*/g, " "),
    "It needs label, repository, revision (a commit), token_ids and, for each " +
      "file, name, bytes and sha256",
  );
}
