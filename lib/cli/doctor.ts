// `tinycoder doctor`: what would stop a trial on this machine, and what to do
// about it. Permissions and room are tried, not assumed; nothing is left changed.

import { grouped } from "../acquire/wrong_content.ts";
import type { JsonObject } from "../agent/json.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { machineResources } from "../system/resources.ts";
import { runtimeFacts } from "../system/runtime_facts.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { type DeclaredTrial, declaredTrial } from "./declared_plan.ts";
import {
  type DoctorFinding,
  modelFolderFindings,
} from "./doctor_model_folder.ts";
import { probeRights } from "./probe_rights.ts";
import { optionText, refusalError } from "./refusal_error.ts";
import type { Terminal } from "./terminal.ts";
import { type Needs, trialNeeds } from "./trial_needs.ts";
import { placeFault, writeFault } from "./writable_folder.ts";

/** The Deno that the program is made for. */
const DENO_VERSION = "2.9.4";

/** Looks at machine, permissions and model folder; 3 if a trial would stop. */
export function doctor(
  { options }: Invocation,
  terminal: Terminal,
): ExitCode {
  const declared = declaredTrial(diskFiles, optionText(options["checkpoint"]));
  if (!declared.ok) throw refusalError(declared.refusal);
  const findings = [
    ...machine(declared),
    currentFolder(),
    ...permissions(),
    ...modelFolderFindings(declared, optionText(options["modelDirectory"])),
  ];
  const ready = findings.every(({ verdict }) => verdict !== "stop");
  if (options["json"]) {
    terminal.out(`${JSON.stringify(doctorJson(findings, ready))}\n`);
  } else terminal.out(doctorText(findings, ready, terminal.outColor));
  return ready ? EXIT.done : EXIT.refused;
}

function machine({ manifest, planned }: DeclaredTrial): DoctorFinding[] {
  const needs = trialNeeds(manifest);
  const facts = runtimeFacts();
  const memory = machineResources.availableMemoryBytes();
  const disk = freeDiskBytes();
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
      verdict: memory >= needs.memory ? "ok" : "stop",
      found: `${grouped(memory)} bytes available; a trial is estimated to ` +
        `take ${grouped(needs.memory)} bytes`,
      next: memory >= needs.memory
        ? null
        : "Close other programs, raise a memory limit that is set, or use a machine with more memory",
    },
    ...disk === null
      ? []
      : [diskFinding(disk, planned.ok ? planned.plan.diskBytes : null, needs)],
  ];
}

/** Bytes free here; null where the current folder can't even be asked. */
function freeDiskBytes(): number | null {
  try {
    return machineResources.freeDiskBytes(".");
  } catch {
    return null;
  }
}

/** @param asked What acquiring asks for; null where nothing is to acquire. */
function diskFinding(
  free: number,
  asked: number | null,
  needs: Needs,
): DoctorFinding {
  if (asked === null || free < needs.disk) {
    return {
      about: "Disk",
      verdict: free >= needs.disk ? "ok" : "stop",
      found: `${grouped(free)} bytes free here; a trial asks for ` +
        `${grouped(needs.disk)} bytes`,
      next: free >= needs.disk ? null : "Free some space first",
    };
  }
  return {
    about: "Disk",
    verdict: free >= asked ? "ok" : "note",
    found: `${grouped(free)} bytes free here; acquiring asks for ` +
      `${grouped(asked)} bytes`,
    next: free >= asked
      ? null
      : "Free that much before acquiring; a trial itself needs little",
  };
}

/** Whether a run's folder can be made here: by the rules, and by trying. */
function currentFolder(): DoctorFinding {
  const fault = placeFault(diskFiles) ??
    writeFault(diskFiles, diskFiles.realPath("."));
  return fault === null
    ? {
      about: "Folder",
      verdict: "ok",
      found: "runs can be made here; writing was tried",
      next: null,
    }
    : {
      about: "Folder",
      verdict: "stop",
      found: `no run can be made here: ${fault.why}`,
      next: fault.next.replace(/\.$/, ""),
    };
}

function permissions(): DoctorFinding[] {
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

function doctorJson(
  findings: readonly DoctorFinding[],
  ready: boolean,
): JsonObject {
  return {
    ready,
    runtime: runtimeFacts(),
    total_memory_bytes: machineResources.totalMemoryBytes(),
    available_memory_bytes: machineResources.availableMemoryBytes(),
    free_disk_bytes: freeDiskBytes(),
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
  findings: readonly DoctorFinding[],
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
