// What a run ends with: how it stopped, what passes, and whether that is a
// verified success are three separate facts (lab Part 9).

import type { JsonObject } from "../agent/json.ts";
import { paint } from "./colors.ts";

/** A final report as a few lines for a person. */
export function runSummary(
  final: JsonObject,
  folder: string,
  color: boolean,
): string {
  const { good, bad, strong, dim } = paint(color);
  const verified = final["verified_success"] === true;
  const row = (name: string, value: string) =>
    `  ${dim(name.padEnd(18))}${value}\n`;
  const detail = final["detail"] === null ? "" : ` (${final["detail"]})`;
  return strong(`Run ${final["run_id"]}\n`) +
    row("proposals from", sourceText(final)) +
    row("stopped by", `${final["stop_reason"]}${detail}`) +
    row("public cases", score(final["public"])) +
    row("held-out cases", score(final["held_out"])) +
    row("final evaluation", String(final["final_evaluation"])) +
    row(
      "verified success",
      verified ? good("yes") : bad("no"),
    ) +
    row(
      "proposals",
      `${final["proposals"]}, ${final["invalid_proposals"]} of them refused`,
    ) +
    row("source version", `${final["version"]}`) +
    row(
      "evidence",
      `${folder}/ (${(final["audit"] as JsonObject)["count"]} records)`,
    );
}

function sourceText(final: JsonObject): string {
  switch (final["source"]) {
    case "scripted":
      return "the scripted baseline; no model was called";
    case "stdio":
      return "your own program";
    default:
      return `${final["source"]}`;
  }
}

/** Passed of total, or that nothing was evaluated. */
export function score(value: unknown): string {
  if (value === null || typeof value !== "object") return "not evaluated";
  const { passed, total } = value as { passed: number; total: number };
  return `${passed} of ${total} pass`;
}
