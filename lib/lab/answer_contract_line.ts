// `tinycoder contract --check`: a proposal a line, one verdict a line, so that
// anyone can hold another validator against this one.

import type { JsonObject } from "../agent/json.ts";
import { decodeBase64 } from "../system/base64.ts";
import { isJsonTreeObject, scanJson } from "../system/strict_json.ts";
import { admitProposal } from "./contract/admit_proposal.ts";

/**
 * Answers one line `{"proposal_base64":"…"}`.
 *
 * @param line The line's bytes, without its line feed.
 * @returns `{"ok":true,"action":{…}}` or `{"ok":false,"error","message"}` with
 *   `offset` where the JSON breaks off. A line that is no such request gets
 *   the error `invalid_request`; nothing is thrown.
 */
export function answerContractLine(line: Uint8Array): JsonObject {
  const request = readRequest(line);
  if (typeof request === "string") {
    return { ok: false, error: "invalid_request", message: request };
  }
  const admission = admitProposal(request);
  if (admission.ok) return { ok: true, action: admission.action };
  const { error, message, offset } = admission;
  return {
    ok: false,
    error,
    message,
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The proposal's bytes, or why there are none. */
function readRequest(line: Uint8Array): Uint8Array | string {
  const scan = scanJson(line, { maxDepth: 1 });
  if (!scan.ok) return scan.message;
  const encoded = isJsonTreeObject(scan.value) && scan.value.size === 1
    ? scan.value.get("proposal_base64")
    : undefined;
  if (typeof encoded !== "string") {
    return 'A request is one object with the one key "proposal_base64", a string';
  }
  return decodeBase64(encoded) ??
    '"proposal_base64" is not base64: A-Z, a-z, 0-9, + and /, padded with =';
}
