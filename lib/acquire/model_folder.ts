// What may lie in a model folder: the checkpoint's files, their partial forms,
// and the ledger. Anything else ends an acquisition (lab Part 2: unexpected
// files) instead of being worked around.

import type { Files } from "../system/files.ts";
import { quoteSafely } from "../system/safe_text.ts";
import {
  type CheckpointPlan,
  LEDGER_NAME,
  PART_SUFFIX,
} from "./checkpoint_plan.ts";
import type { LedgerContent } from "./ledger_format.ts";

/**
 * Looks for entries that have no business in a model folder.
 *
 * @returns Null, or what is wrong with the first of them, as a clause.
 */
export function unexpectedEntry(
  files: Files,
  folder: string,
  plan: CheckpointPlan,
): string | null {
  const names = [LEDGER_NAME, ...plan.files.map((file) => file.name)];
  const allowed = new Set(
    names.flatMap((name) => [name, `${name}${PART_SUFFIX}`]),
  );
  for (const name of files.list(folder)) {
    const shown = quoteSafely(name, 100);
    if (!allowed.has(name)) return `the folder holds ${shown}`;
    const facts = files.facts(`${folder}/${name}`);
    if (facts === null) continue;
    if (facts.kind !== "file") return `${shown} is not a plain file`;
    if (facts.links !== 1) return `${shown} has a second name`;
  }
  return null;
}

/**
 * Looks for a verified file that isn't there any more as it was verified: by its
 * entry alone, without reading it.
 *
 * @returns Null, or what is wrong with the first of them, as a clause.
 */
export function spoiledEntry(
  files: Files,
  folder: string,
  content: LedgerContent,
): string | null {
  for (const { name, status, expected_bytes } of content.files) {
    if (status !== "verified") continue;
    const facts = files.facts(`${folder}/${name}`);
    if (facts === null) return `"${name}" is gone since it was verified`;
    if (
      facts.kind !== "file" || facts.links !== 1 ||
      facts.size !== expected_bytes
    ) return `"${name}" was changed since it was verified`;
  }
  return null;
}
