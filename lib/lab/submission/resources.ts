// Lab Part 10, question 6: what was estimated before a run, as far as its
// manifest keeps it, beside what was measured.

import type { JsonObject } from "../../agent/json.ts";
import { counted } from "../../system/counted.ts";
import { code, plain, table } from "./markdown.ts";
import type { SubmittedRun } from "./submitted_run.ts";

/** Stands beside an estimate that no run measures. */
const UNMEASURED = "not measured";
/** Stands beside a measure that nobody had estimated. */
const UNESTIMATED = "none";

/** The measure that a run's estimate of time is about. */
const TOTAL = "time, total";

/** Estimates and measures of one run, as Markdown. */
export function resources(run: SubmittedRun): string {
  const { name, model } = run;
  const measured = measures(run);
  if (model === null) {
    return measured.length === 0
      ? `In ${code(name)}, no totals are recorded.\n`
      : `In ${code(name)}, whose manifest keeps no estimate:\n\n${
        table(["What", "Measured"], measured)
      }`;
  }
  const estimated = estimates(model);
  const { payload_bytes } = acquisition(model);
  const total = measured.find(([what]) => what === TOTAL)?.[1] ?? UNMEASURED;
  const rows = [
    ["memory", estimated("Memory"), UNMEASURED],
    ["disk", estimated("Disk"), UNMEASURED],
    [
      "download",
      fileBytes(model),
      typeof payload_bytes === "number"
        ? counted(payload_bytes, "byte")
        : UNMEASURED,
    ],
    [TOTAL, estimated("Time"), total],
    ...measured.filter(([what]) => what !== TOTAL)
      .map(([what = "", value = ""]) => [what, UNESTIMATED, value]),
  ];
  return `In ${code(name)}; the estimates are those that were agreed to:\n\n${
    table(["What", "Estimated", "Measured"], rows)
  }`;
}

/** Times and tokens, a pair each. */
function measures({ final, model, proposals }: SubmittedRun): string[][] {
  const elapsed = final?.["elapsed_ms"];
  const times = elapsed !== null && typeof elapsed === "object"
    ? Object.entries(elapsed)
    : [];
  const { elapsed_s } = acquisition(model);
  // The lab counts the acquisition among a trial's times (Part 10).
  if (typeof elapsed_s === "number") {
    times.unshift(["acquisition", elapsed_s * 1_000]);
  }
  const tokens = proposals.flatMap((one) => one.tokens ?? []);
  return [
    ...times.map(([kind, ms]) => [
      `time, ${plain(kind)}`,
      `${(Number(ms) / 1_000).toFixed(3)} s`,
    ]),
    ...tokens.length === 0 ? [] : [
      ["input tokens", tokens.map(({ input }) => input).join(", ")],
      ["output tokens", tokens.map(({ output }) => output).join(", ")],
    ],
  ];
}

/** Reads single lines of the text that was shown before the yes. */
function estimates(model: JsonObject): (label: string) => string {
  const lines = String(model["agreed_to"] ?? "").split("\n");
  return (label) => {
    const line = lines.find((line) => line.startsWith(`${label}  `));
    return line === undefined
      ? UNESTIMATED
      : plain(line.slice(label.length).trim());
  };
}

/** What the declared files come to, where all of them tell their size. */
function fileBytes(model: JsonObject): string {
  const files = model["files"];
  if (!Array.isArray(files)) return UNESTIMATED;
  const sizes = (files as readonly JsonObject[]).map((file) => file["bytes"]);
  return sizes.every((bytes) => typeof bytes === "number")
    ? counted(sizes.reduce((sum, bytes) => sum + bytes, 0), "byte")
    : UNESTIMATED;
}

function acquisition(model: JsonObject | null): JsonObject {
  return (model?.["acquisition"] ?? {}) as JsonObject;
}
