// Faults of the disk, more of them than a test may take.
//
// usage: deno run -A tasks/fault_sweep.ts runs [NTH]
//        deno run -A tasks/fault_sweep.ts full_disk [NTH]
//        deno run -A tasks/fault_sweep.ts small_disks
//        deno run -A tasks/fault_sweep.ts commands [NTH] [COMMAND …]
//
// runs: every kind of run, every kind of fault, at every NTH operation, in this
// process. full_disk: a baseline on a disk of every NTHth size. small_disks: the
// real program on real small disks. commands: the real program under strace, every
// NTH of the faults that its calls can meet.

import { freshFolder } from "../tests/baseline_in_process.ts";
import { FAULT_KINDS, FURTHER_FAULT_KINDS } from "../tests/fault_kinds.ts";
import { printCounts, wholeBaseline } from "../tests/fault_sweep.ts";
import { FAULTY_COMMANDS } from "../tests/faulty_commands.ts";
import { ready } from "../tests/readied_command.ts";
import { baselineBytes, sweepFullDisks } from "../tests/full_disk_sweep.ts";
import { everyFault } from "../tests/injected_faults.ts";
import {
  type Counts,
  FAULTY_RUN_KINDS,
  sweepRunFaults,
} from "../tests/run_fault_sweep.ts";
import { runOnSmallDisk } from "../tests/small_disk.ts";
import { TaskUsage } from "./usage.ts";

const KINDS = ["runs", "full_disk", "small_disks", "commands"] as const;

const usage = new TaskUsage(import.meta.url);
const [typed, typedNth, ...names] = usage.operands(1, Infinity);
const what = usage.oneOf("The first argument", typed, KINDS);
const nth = usage.whole("NTH", typedNth, 1);
for (const name of names) {
  usage.oneOf("COMMAND", name, FAULTY_COMMANDS.map((one) => one.name));
}
if (what !== "commands" && names.length > 0) {
  usage.refuse(`"${what}" has no place for "${names[0]}"`);
}
if (what === "small_disks" && typedNth !== undefined) {
  usage.refuse(`"${what}" has no place for "${typedNth}"`);
}
const every = <T>(all: readonly T[]) => all.filter((_, at) => at % nth === 0);

async function runs(): Promise<void> {
  for (const run of FAULTY_RUN_KINDS) {
    for (const kind of [...FAULT_KINDS, ...FURTHER_FAULT_KINDS]) {
      printCounts(
        `${run.name}, ${kind}`,
        await sweepRunFaults(run, [kind], every),
      );
    }
  }
}

async function fullDisk(): Promise<void> {
  const needed = await baselineBytes();
  const sizes = every(Array.from({ length: needed + 1 }, (_, size) => size));
  printCounts(`disks of 0 to ${needed} bytes`, await sweepFullDisks(sizes));
}

async function smallDisks(): Promise<void> {
  const { versions } = await wholeBaseline();
  const disks = [
    ...Array.from({ length: 30 }, (_, at) => [`${4 * (at + 1)}k`, 100]),
    ...Array.from({ length: 18 }, (_, at) => ["1m", at + 2]),
  ] as [string, number][];
  const counts: Counts = new Map();
  for (const [size, files] of disks) {
    using folder = freshFolder();
    try {
      const outcome = await runOnSmallDisk(folder.path, size, files, versions);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    } catch (cause) {
      throw new Error(`A disk of ${size} and ${files} files`, { cause });
    }
  }
  printCounts("small disks", counts);
}

/** One command; what breaks a rule is told, and the sweep goes on. */
async function command(chosen: typeof FAULTY_COMMANDS[number]): Promise<void> {
  using readied = await ready(chosen);
  const counts: Counts = new Map();
  for (const fault of every(everyFault(readied.calls))) {
    const { call, error, nth } = fault;
    const outcome = await readied.meet(fault).catch((broken) => {
      Deno.exitCode = 1;
      return `BROKEN by ${call} ${nth}, ${error}: ${
        String(broken.message).slice(-400)
      }`;
    });
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  printCounts(chosen.name, counts);
}

switch (what) {
  case "runs":
    await runs();
    break;
  case "full_disk":
    await fullDisk();
    break;
  case "small_disks":
    await smallDisks();
    break;
  case "commands":
    for (const one of FAULTY_COMMANDS) {
      if (names.length === 0 || names.includes(one.name)) await command(one);
    }
    break;
}
