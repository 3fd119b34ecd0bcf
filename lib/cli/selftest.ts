// `tinycoder selftest`: the harness's negative checks, run by whoever wants to
// see them hold on their own machine.

import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import { createFreshFolder, planFreshFolder } from "../system/fresh_folder.ts";
import { ANCESTOR_LEVELS } from "../system/permissions.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { readScenarios } from "./scenario_catalogue.ts";
import type { Scenario } from "./scenario_format.ts";
import type { OutsideTools } from "./scenario_outside.ts";
import { probeOutsideTools } from "./scenario_probe.ts";
import { runScenario, type ScenarioOutcome } from "./scenario_run.ts";
import { onSignal } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/** Runs every scenario in a fresh folder below the current one. */
export async function selftest(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = makeFolder();
  let stopped = false;
  const listening = onSignal(() => stopped = true);
  const asJson = options["json"] === true;
  const results: ScenarioResult[] = [];
  try {
    const tools = probeOutsideTools(folder.path);
    for (const scenario of readScenarios()) {
      const result = await attempt(scenario, folder.path, tools);
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
  const summary = { ...count(results), kept };
  terminal.out(
    asJson
      ? `${JSON.stringify({ ...summary, scenarios: results })}\n`
      : summaryLines(summary),
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
      what: `Cannot create the ${purpose} ${JSON.stringify(typed)}`,
      why: `the current folder lies ${levels} folders deep, and the checks ` +
        `need ${LEVELS_BELOW} more of the ${ANCESTOR_LEVELS} that can be ` +
        "checked for a repository around them",
      next: "Start tinycoder in a folder nearer to the top.",
    });
  }
  createFreshFolder(diskFiles, planned, purpose);
  return planned;
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

function summaryLines(
  { run, passed, failed, skipped, kept }: Summary,
): string {
  return joined([
    "",
    `${run} checks were run: ${passed} passed, ${failed} failed. ` +
    `${skipped} were skipped.`,
    ...(kept === null ? [] : [`Their folders are kept in ${kept}/`]),
  ]);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
