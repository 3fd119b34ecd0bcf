// Lab Part 1: an explicit yes to exactly what would be done. What was shown and
// answered goes into the ledger.

import type { OptIn } from "./ledger_format.ts";
import type { PreparedAcquisition } from "./prepare.ts";
import { grouped } from "./wrong_content.ts";

/** The answer that begins an acquisition. */
export const YES = "yes";

/** What the user is shown before an acquisition, its question last. */
export function optInText(prepared: PreparedAcquisition): string {
  const { request, source, presentBytes } = prepared;
  const { plan, limits, directory } = request;
  const destination = prepared.destination.kind === "existing"
    ? `this model folder, which holds ${grouped(presentBytes)} of these bytes`
    : "this new model directory";
  const question = source === null
    ? `Download the ${count(plan.files.length)} listed model files, totaling ` +
      `${grouped(plan.totalBytes)} bytes, from ${owner(plan.repository)} ` +
      `public Hugging Face repository into ${destination}?`
    : `Copy the ${count(plan.files.length)} listed model files, totaling ` +
      `${grouped(plan.totalBytes)} bytes, from "${source.shownAs}" into ` +
      `${destination}?`;
  return [
    `Destination      ${directory}`,
    `Free disk        ${grouped(prepared.freeDiskBytes)} bytes; ` +
    `${grouped(plan.diskBytes)} are asked for`,
    `Memory           ${grouped(prepared.availableMemoryBytes)} bytes ` +
    `available; a trial is estimated to take ${grouped(plan.memoryBytes)}`,
    `Transfer ceiling ${
      source === null
        ? `${grouped(limits.ceilingBytes)} bytes over all attempts`
        : "0 bytes: nothing is downloaded"
    }`,
    `Time             ${limits.acquireSeconds / 60} minutes for this, of the ` +
    `${limits.windowSeconds / 60} that acquisition and trial share`,
    ...(source === null
      ? [
        `Each file        one retry, and none after a mismatch; ` +
        `${limits.idleMs / 1_000} s without a byte end an attempt`,
      ]
      : []),
    "",
    question,
  ].join("\n");
}

/** The record of a yes. */
export function optIn(
  shown: string,
  answer: OptIn["answer"],
  wallMs: number,
): OptIn {
  return { shown, answer, given_wall_ms: wallMs };
}

/** Whether what was typed is a yes. */
export function isYes(typed: string | null): boolean {
  return typed !== null && typed.trim().toLowerCase() === YES;
}

function owner(repository: string): string {
  const name = repository.slice(0, repository.indexOf("/"));
  return `${name}’s`;
}

function count(files: number): string {
  return [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
  ][files] ?? String(files);
}
