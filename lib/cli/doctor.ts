// `tinycoder doctor`: what would stop a trial on this machine, and what to do
// about it. Permissions are tried, not assumed; nothing is changed.

import type { CheckpointPlan } from "../acquire/checkpoint_plan.ts";
import { declaredPlan } from "../acquire/declared_plan.ts";
import { existingFolder } from "../acquire/destination.ts";
import { readLedger } from "../acquire/ledger.ts";
import type { LedgerContent } from "../acquire/ledger_format.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import { unexpectedEntry } from "../acquire/model_folder.ts";
import { windowRest } from "../acquire/window.ts";
import { grouped } from "../acquire/wrong_content.ts";
import type { JsonObject } from "../agent/json.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import { machineResources } from "../system/resources.ts";
import { runtimeFacts } from "../system/runtime_facts.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { probeRights } from "./probe_rights.ts";
import { optionText, refusalError } from "./refusal_error.ts";
import type { Terminal } from "./terminal.ts";

/** The Deno that the program is made for. */
const DENO_VERSION = "2.9.4";

/** One thing that was looked at. */
interface Finding {
  readonly about: string;
  /** `stop` would stop a trial. */
  readonly verdict: "ok" | "note" | "stop";
  readonly found: string;
  /** What to do about it; null where nothing is to be done. */
  readonly next: string | null;
}

/** Looks at machine, permissions and model folder; 3 if a trial would stop. */
export function doctor(
  { options }: Invocation,
  terminal: Terminal,
): ExitCode {
  const declared = declaredPlan(diskFiles, optionText(options["checkpoint"]));
  if (!declared.ok) throw refusalError(declared.refusal);
  const { plan } = declared;
  const findings = [
    ...machine(plan),
    ...permissions(),
    ...modelFolder(plan, optionText(options["modelDirectory"])),
  ];
  const ready = findings.every(({ verdict }) => verdict !== "stop");
  if (options["json"]) {
    terminal.out(`${JSON.stringify(doctorJson(findings, ready))}\n`);
  } else terminal.out(doctorText(findings, ready, terminal.outColor));
  return ready ? EXIT.done : EXIT.refused;
}

function machine(plan: CheckpointPlan): Finding[] {
  const facts = runtimeFacts();
  const memory = machineResources.availableMemoryBytes();
  const disk = machineResources.freeDiskBytes(".");
  const isPinnedDeno = facts["deno"] === DENO_VERSION;
  return [
    {
      about: "Version",
      verdict: isPinnedDeno ? "ok" : "stop",
      found: `tinycoder ${facts["tinycoder"]}, Deno ${facts["deno"]}`,
      next: isPinnedDeno ? null : `Use Deno ${DENO_VERSION}`,
    },
    {
      about: "Machine",
      verdict: "ok",
      found: `${facts["os"]} ${facts["arch"]}, ${facts["cores"]} cores, ` +
        `${facts["cpu"]}`,
      next: null,
    },
    {
      about: "Memory",
      verdict: memory >= plan.memoryBytes ? "ok" : "stop",
      found: `${grouped(memory)} bytes available; a trial is estimated to ` +
        `take ${grouped(plan.memoryBytes)}`,
      next: memory >= plan.memoryBytes
        ? null
        : "Close other programs, or use a machine with more memory",
    },
    {
      about: "Disk",
      verdict: disk >= plan.diskBytes ? "ok" : "note",
      found: `${grouped(disk)} bytes free here; acquiring asks for ` +
        `${grouped(plan.diskBytes)}`,
      next: disk >= plan.diskBytes
        ? null
        : "Free that much before acquiring; a trial itself needs little",
    },
  ];
}

function permissions(): Finding[] {
  const open = probeRights().filter(({ denied }) => !denied);
  return [
    {
      about: "Permissions",
      verdict: open.length === 0 ? "ok" : "note",
      found: open.length === 0
        ? "Deno denied everything tried beyond the program's own"
        : `not restricted: ${open.map(({ what }) => what).join(", ")}`,
      next: open.length === 0
        ? null
        : "Start it by the binary or by tasks/tinycoder",
    },
  ];
}

function modelFolder(
  plan: CheckpointPlan,
  directory: string | null,
): Finding[] {
  const about = "Model folder";
  if (directory === null) {
    return [{
      about,
      verdict: "note",
      found: "none was named",
      next: "Name it to have it checked: --model-directory DIR",
    }];
  }
  const stop = (found: string, next: string): Finding[] => [
    { about, verdict: "stop", found, next },
  ];
  const acquireFirst = `Acquire it: tinycoder acquire --directory ${directory}`;
  const placed = existingFolder(diskFiles, directory, "Cannot look into");
  if (!placed.ok) return stop(placed.refusal.why, placed.refusal.next);
  if (placed.path === null) return stop("it does not exist", acquireFirst);
  const folder = placed.path;
  try {
    const odd = unexpectedEntry(diskFiles, folder, plan);
    if (odd !== null) return stop(odd, "Take it away");
    const read = readLedger({
      files: diskFiles,
      folder,
      shownAs: directory,
      plan,
      limits: LAB_LIMITS,
    });
    return read.ok ? ledgerFindings(read.content, directory) : stop(
      `its ledger cannot be used: ${read.why}`,
      "Bring its files into a new folder: tinycoder acquire --directory NEW " +
        `--from ${directory}`,
    );
  } catch (error) {
    return stop(
      `the system answered ${errorCode(error)}`,
      "Make it readable for this user",
    );
  }
}

function ledgerFindings(
  content: LedgerContent,
  directory: string,
): Finding[] {
  const now = machineResources.bootFacts();
  const { acquireMs, windowMs } = windowRest(content.window, now, LAB_LIMITS);
  const verified = content.files.filter(({ status }) => status === "verified");
  const complete = content.status === "verified";
  const used = content.core_trial;
  return [
    {
      about: "Model folder",
      verdict: complete ? "ok" : "stop",
      found: content.end === null
        ? `${verified.length} of ${content.files.length} files verified`
        : `ended for good: ${content.end.what}: ${content.end.why}`,
      next: complete
        ? null
        : acquireMs > 0 && content.end === null
        ? `Go on: tinycoder acquire --directory ${directory}`
        : `Bring the files: tinycoder acquire --directory ${directory} --from DIR`,
    },
    {
      about: "Window",
      verdict: windowMs > 0 ? "ok" : "note",
      found: windowMs > 0
        ? `${Math.floor(windowMs / 60_000)} of 30 minutes left`
        : "over; a trial has its own ten minutes, and is recorded as that",
      next: null,
    },
    {
      about: "Core trial",
      verdict: used === null ? "ok" : "note",
      found: used === null ? "not used yet" : `used by run ${used.run_id}`,
      next: used === null
        ? null
        : "Declare what is different in a further trial: --extension TEXT",
    },
  ];
}

function doctorJson(
  findings: readonly Finding[],
  ready: boolean,
): JsonObject {
  return {
    ready,
    runtime: runtimeFacts(),
    total_memory_bytes: machineResources.totalMemoryBytes(),
    available_memory_bytes: machineResources.availableMemoryBytes(),
    free_disk_bytes: machineResources.freeDiskBytes("."),
    permissions: Object.fromEntries(
      probeRights().map(({ kind, denied }) => [
        kind,
        denied ? "denied" : "not_enforced",
      ]),
    ),
    findings: findings.map(({ about, verdict, found, next }) => ({
      about,
      verdict,
      found,
      next,
    })),
  };
}

function doctorText(
  findings: readonly Finding[],
  ready: boolean,
  color: boolean,
): string {
  const { good, bad, strong } = paint(color);
  const lines = findings.flatMap(({ about, verdict, found, next }) => {
    const mark = verdict === "ok"
      ? good("ok  ")
      : verdict === "stop"
      ? bad("stop")
      : "note";
    return [
      `${mark}  ${about.padEnd(12)}  ${showSafely(found)}`,
      ...(next === null ? [] : [`${" ".repeat(20)}${showSafely(next)}.`]),
    ];
  });
  lines.push(
    "",
    ready ? strong("Nothing found would stop a trial.") : strong(
      'A trial would stop: mend what says "stop".',
    ),
  );
  return `${lines.join("\n")}\n`;
}
