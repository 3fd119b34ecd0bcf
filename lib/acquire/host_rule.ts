// Which hosts a transfer may speak to. The same three
// rules are the worker's network permission; this check comes first and can
// name what it refused.

import { RIGHTS } from "../system/permissions.ts";

/** The hub: where every request starts. */
export const HUB_HOST = "huggingface.co";

/** The worker's network permission, as Deno writes it. */
export const NET_PERMISSION: readonly string[] =
  RIGHTS.find((right) => right.kind === "net")!.scope;

const SUFFIXES = [".huggingface.co", ".hf.co"];

/**
 * Whether a URL may be requested: https, port 443, no user information, and the
 * hub itself or a host below one of its two domains.
 *
 * @returns Null, or why not: a clause that names the refused part.
 */
export function hostFault(url: URL): string | null {
  if (url.protocol !== "https:") {
    return `it uses "${url.protocol.slice(0, -1)}" instead of https`;
  }
  if (url.username !== "" || url.password !== "") {
    return "it carries a user name or password";
  }
  if (url.port !== "") return `it names port ${url.port} instead of 443`;
  const host = url.hostname;
  if (host === HUB_HOST) return null;
  if (SUFFIXES.some((suffix) => isBelow(host, suffix))) return null;
  return `the host "${host.slice(0, 100)}" is neither ${HUB_HOST} nor below ` +
    "huggingface.co or hf.co";
}

function isBelow(host: string, suffix: string): boolean {
  if (!host.endsWith(suffix)) return false;
  const labels = host.slice(0, -suffix.length).split(".");
  return labels.every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
}
