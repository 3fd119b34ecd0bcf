// Lab Part 5: bytes in, one action or one denial out. The checks run in a fixed
// order, and the first that fails decides the code. Nothing is trimmed,
// unfenced, repaired, defaulted or extracted.

import { quoteSafely } from "../../system/safe_text.ts";
import {
  isJsonTreeObject,
  type JsonTree,
  type JsonTreeObject,
  scanJson,
} from "../../system/strict_json.ts";
import type { Action } from "./action.ts";
import { ACTION_SCHEMA } from "./action_schema.ts";
import {
  ACTION_NAMES,
  type ActionName,
  CONTRACT,
  type ContractBranch,
  MAX_PROPOSAL_BYTES,
  MAX_PROPOSAL_NESTING,
} from "./contract_table.ts";
import type { ProposalDenialCode } from "./denial_codes.ts";
import { findFieldFault, kindOf, plainField } from "./field_checks.ts";

/** A proposal that is no action. */
export interface ProposalDenial {
  readonly ok: false;
  readonly error: ProposalDenialCode;
  /** At most 256 bytes; quotes at most a bounded, escaped piece of input. */
  readonly message: string;
  /** Where the JSON breaks off, in bytes, if that is the reason. */
  readonly offset?: number;
  /** The attempted action, if it is one of the four. */
  readonly action?: ActionName;
}

/** A proposal's verdict by size, JSON and contract. */
export type Admission =
  | { readonly ok: true; readonly action: Action }
  | ProposalDenial;

/**
 * Judges the bytes of one proposal, without knowledge of the workspace.
 *
 * @returns The action, or the first denial in the order of `PROPOSAL_DENIALS`
 *   with the action's name judged before its keys.
 */
export function admitProposal(bytes: Uint8Array): Admission {
  if (bytes.length > MAX_PROPOSAL_BYTES) {
    return deny(
      "proposal_too_large",
      `The proposal has ${bytes.length} bytes; the most is ${MAX_PROPOSAL_BYTES}`,
    );
  }
  const scan = scanJson(bytes, { maxDepth: MAX_PROPOSAL_NESTING });
  if (!scan.ok) return scan;
  if (!isJsonTreeObject(scan.value)) {
    return deny(
      "not_an_object",
      `The proposal is ${kindOf(scan.value)}; it must be one JSON object`,
    );
  }
  return admitObject(scan.value);
}

function admitObject(proposal: JsonTreeObject): Admission {
  const branch = branchOf(proposal.get("action"));
  if ("error" in branch) return branch;
  const { action } = branch;
  const keys = keyFault(proposal, branch);
  if (keys !== undefined) {
    return { ...deny("invalid_fields", keys), action };
  }
  const fault = findFieldFault(proposal, branch.fields);
  if (fault !== undefined) {
    return { ...deny(fault.error, fault.message), action };
  }
  const fields = branch.fields.map((field) =>
    [field.name, plainField(proposal.get(field.name))] as const
  );
  // The names are the table's, never the proposal's.
  const record = Object.fromEntries([["action", action], ...fields]);
  return { ok: true, action: ACTION_SCHEMA.parse(record) };
}

function branchOf(
  name: JsonTree | undefined,
): (ContractBranch & { action: ActionName }) | ProposalDenial {
  if (name === undefined) {
    return deny("invalid_fields", 'The key "action" is missing');
  }
  if (typeof name !== "string") {
    return deny(
      "invalid_type",
      `"action" must be a string, not ${kindOf(name)}`,
    );
  }
  return CONTRACT.find(({ action }) => action === name) ?? deny(
    "unknown_action",
    `${quoteSafely(name, 64)} is no action; the actions are ` +
      ACTION_NAMES.join(", "),
  );
}

/** Which keys are missing or too many, in words. */
function keyFault(
  proposal: JsonTreeObject,
  { action, fields }: ContractBranch,
): string | undefined {
  const expected = ["action", ...fields.map(({ name }) => name)];
  const missing = expected.filter((key) => !proposal.has(key));
  const unlisted = [...proposal.keys()].filter((key) =>
    !expected.includes(key)
  );
  if (missing.length === 0 && unlisted.length === 0) return undefined;
  const faults: string[] = [];
  if (missing.length > 0) faults.push(`missing: ${missing.join(", ")}`);
  if (unlisted.length > 0) {
    const shown = unlisted.slice(0, 2).map((key) => quoteSafely(key, 32));
    const rest = unlisted.length - shown.length;
    faults.push(
      `unlisted: ${shown.join(", ")}` + (rest > 0 ? ` and ${rest} more` : ""),
    );
  }
  return `${action} takes exactly the keys ${expected.join(", ")}; ` +
    faults.join("; ");
}

function deny(error: ProposalDenialCode, message: string): ProposalDenial {
  return { ok: false, error, message };
}
