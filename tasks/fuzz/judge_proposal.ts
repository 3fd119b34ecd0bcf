// The contract of lab Part 5 a second time, over what V8's parser reads.

import { judgeJson, numberText } from "./judge_json.ts";

/** The second opinion on a proposal. */
export type ProposalJudgement =
  | { readonly ok: true; readonly action: Record<string, unknown> }
  | { readonly ok: false; readonly code: string };

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  read: ["file"],
  replace: ["function", "old", "new", "version"],
  test: [],
  finish: ["version"],
};

/** Judges a proposal's bytes; `json` is the code of whatever isn't JSON. */
export function judgeProposal(bytes: Uint8Array): ProposalJudgement {
  const refuse = (code: string) => ({ ok: false, code }) as const;
  if (bytes.length > 2_048) return refuse("proposal_too_large");
  const json = judgeJson(bytes, 8);
  if (!json.ok) return refuse("json");
  const { value } = json;
  const versionText = numberText(bytes, "version");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("not_an_object");
  }
  const record = value as Record<string, unknown>;
  if (!Object.hasOwn(record, "action")) return refuse("invalid_fields");
  const { action } = record;
  if (typeof action !== "string") return refuse("invalid_type");
  if (!Object.hasOwn(FIELDS, action)) return refuse("unknown_action");
  const fields = FIELDS[action]!;
  const keys = Object.keys(record).sort().join();
  if (keys !== ["action", ...fields].sort().join()) {
    return refuse("invalid_fields");
  }
  for (const field of fields) {
    const fits = field === "version"
      ? /^-?\d+$/.test(versionText ?? "")
      : typeof record[field] === "string";
    if (!fits) return refuse("invalid_type");
  }
  if (action === "read" && !/^(?:TASK\.txt|toy_math\.py)$/.test(text("file"))) {
    return refuse("forbidden_file");
  }
  if (action === "replace" && !/^(?:clamp|total)$/.test(text("function"))) {
    return refuse("unknown_function");
  }
  if (fields.includes("version") && !/^[0-6]$/.test(versionText ?? "")) {
    return refuse("invalid_value");
  }
  if (
    action === "replace" &&
    !["old", "new"].every((field) => /^[ -~]{1,256}$/.test(text(field)))
  ) return refuse("expression_bounds");
  return { ok: true, action: record };

  // A line feed at the end would slip through `$` of other dialects, not this.
  function text(field: string): string {
    return String(record[field]);
  }
}
