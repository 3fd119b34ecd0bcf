// `tinycoder selftest`: the harness's negative checks, run by whoever wants to
// see them hold on their own machine.

import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { counted } from "../system/counted.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import { createFreshFolder, planFreshFolder } from "../system/fresh_folder.ts";
import { ANCESTOR_LEVELS } from "../system/permissions.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { quoteTyped } from "./quote_typed.ts";
import { readScenarios } from "./scenarios/catalogue.ts";
import type { Scenario } from "./scenarios/format.ts";
import type { OutsideTools } from "./scenarios/outside.ts";
import { probeOutsideTools } from "./scenarios/probe.ts";
import { runScenario, type ScenarioOutcome } from "./scenarios/run.ts";
import { onSignal } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { writeFault } from "./writable_folder.ts";

/** Runs every scenario in a fresh folder below the current one. */
export async function selftest(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const scenarios = readScenarios();
  const folder = makeFolder();
  let stopped = false;
  const listening = onSignal(() => stopped = true);
  const asJson = options["json"] === true;
  const results: ScenarioResult[] = [];
  try {
    requireRoom(folder.path);
    const tools = probeOutsideTools(folder.path);
    for (const scenario of scenarios) {
      const result = await attempt(scenario, folder.path, tools);
      // On a full disk every further check would fail, and none by its own fault.
      if (result.outcome === "failed") requireRoom(folder.path);
      results.push(result);
      if (!asJson) terminal.out(resultLines(result, terminal.outColor));
      // A signal is only delivered while the program waits for something.
      await new Promise((resolve) => setTimeout(resolve));
      if (stopped) break;
    }
  } finally {
    listening.stop();
    if (options["keep"] !== true) {
      Deno.removeSync(folder.path, { recursive: true });
    }
  }
  const kept = options["keep"] === true ? folder.typed : null;
  const notRun = scenarios.length - results.length;
  const summary = { ...count(results), not_run: notRun, kept };
  terminal.out(
    asJson
      ? `${JSON.stringify({ ...summary, scenarios: results })}\n`
      : summaryLines(summary, skipReasons(results)),
  );
  if (stopped) return EXIT.cancelled;
  return summary.failed === 0 ? EXIT.done : EXIT.harness;
}

/** One scenario and what became of it. */
type ScenarioResult =
  & { readonly name: string; readonly shows: string }
  & ScenarioOutcome;

interface Summary {
  /** Scenarios that were carried out: passed and failed ones. */
  readonly run: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Scenarios that were not come to, since the checks were stopped. */
  readonly not_run: number;
  /** Name of the folder that was kept. */
  readonly kept: string | null;
}

/** Folders that a check's own folder lies below the current one. */
const LEVELS_BELOW = 2;

function makeFolder() {
  const typed = `selftest-${crypto.randomUUID().slice(0, 8)}`;
  const purpose = "folder of the checks";
  const planned = planFreshFolder(diskFiles, typed, purpose);
  const levels = planned.parent.split("/").length - 1;
  if (levels + LEVELS_BELOW > ANCESTOR_LEVELS) {
    throw new CommandError(EXIT.refused, {
      what: `Cannot create the ${purpose} ${quoteTyped(typed)}`,
      why: `the current folder lies ${levels} folders deep, and the checks ` +
        `need ${LEVELS_BELOW} more of the ${ANCESTOR_LEVELS} that can be ` +
        "checked for a repository around them",
      next: "Start tinycoder in a folder nearer to the top.",
    });
  }
  createFreshFolder(diskFiles, planned, purpose);
  return planned;
}

/** @throws {CommandError} where nothing can be written any more. */
function requireRoom(folder: string): void {
  const fault = writeFault(diskFiles, folder);
  if (fault === null) return;
  throw new CommandError(EXIT.refused, {
    what: "Cannot go on with the checks",
    why: fault.why,
    next: `${fault.next} What was checked until then counts for nothing.`,
  });
}

async function attempt(
  scenario: Scenario,
  parent: string,
  tools: OutsideTools,
): Promise<ScenarioResult> {
  const { name, shows } = scenario;
  const folder = `${parent}/${name}`;
  try {
    diskFiles.makeFolder(folder);
    return { name, shows, ...await runScenario(scenario, { folder, tools }) };
  } catch (error) {
    const findings = [`it broke off: ${errorCode(error)}`];
    return { name, shows, outcome: "failed", findings };
  }
}

function count(results: readonly ScenarioResult[]) {
  const of = (outcome: ScenarioOutcome["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  const [passed, failed] = [of("passed"), of("failed")];
  return { run: passed + failed, passed, failed, skipped: of("skipped") };
}

function resultLines(result: ScenarioResult, color: boolean): string {
  const { good, bad, dim } = paint(color);
  const { name, shows } = result;
  switch (result.outcome) {
    case "passed":
      return joined([`${good("passed ")} ${name}: ${shows}`]);
    case "skipped":
      return joined([`${dim("skipped")} ${name}: ${result.reason}`]);
    case "failed":
      return joined([
        `${bad("FAILED ")} ${name}: ${shows}`,
        ...result.findings.map((finding) => `          ${finding}`),
      ]);
  }
}

/** Each reason once. */
function skipReasons(results: readonly ScenarioResult[]): readonly string[] {
  const reasons = results.flatMap((result) =>
    result.outcome === "skipped" ? [result.reason] : []
  );
  return [...new Set(reasons)];
}

function summaryLines(
  { run, passed, failed, skipped, not_run, kept }: Summary,
  reasons: readonly string[],
): string {
  return joined([
    "",
    `${run} checks were run: ${passed} passed, ${failed} failed. ` +
    `${skipped} were skipped${
      reasons.length === 0
        ? "."
        : `: ${reasons.join("; ")}. In the project's sources, ` +
          '"deno task test" runs these too.'
    }`,
    ...(not_run === 0
      ? []
      : [`Stopped: ${counted(not_run, "check")} more would have come.`]),
    ...(kept === null ? [] : [`Their folders are kept in ${kept}/`]),
  ]);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
