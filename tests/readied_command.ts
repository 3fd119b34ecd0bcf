// A command that meets faults of the system, and what must hold after it,
// whatever the disk answered in between.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { closeAndCheck } from "./fault_sweep.ts";
import { CHECKPOINT_FILES, type FaultyCommand } from "./faulty_commands.ts";
import {
  countCalls,
  type InjectedFault,
  type LeftWithFault,
  withFault,
} from "./injected_faults.ts";
import { tinycoder } from "./launched.ts";

/** A command, ready to meet a fault as often as it takes. */
export interface Readied extends Disposable {
  /** Its calls by name, without a fault. */
  readonly calls: ReadonlyMap<string, number>;
  /**
   * Runs it once with a fault, in a folder of its own, and checks what is left.
   *
   * @returns The outcome in a few words.
   */
  meet(fault: InjectedFault): Promise<string>;
}

/** Makes what a command needs, and counts its calls. */
export async function ready(command: FaultyCommand): Promise<Readied> {
  const template = freshFolder();
  for (const args of command.before) {
    const { code, err } = await tinycoder(template.path, args);
    assert.equal(code, 0, err);
  }
  command.prepare?.(template.path);
  const copy = () => {
    const folder = freshFolder();
    fs.cpSync(template.path, folder.path, { recursive: true });
    return folder;
  };
  using whole = copy();
  const { calls, left } = await countCalls({ ...command, cwd: whole.path });
  assert.equal(left.code, command.whole, left.err);
  const versions = sourceVersions(whole.path);
  const made = contentsOf(whole.path);
  return {
    calls,
    meet: async (fault) => {
      using folder = copy();
      const before = contentsOf(folder.path);
      const met = await withFault({ ...command, cwd: folder.path }, fault);
      return await judge(command, folder.path, { fault, left: met }, {
        before,
        made,
        versions,
      });
    },
    [Symbol.dispose]: () => template[Symbol.dispose](),
  };
}

interface Expected {
  readonly before: ReturnType<typeof contentsOf>;
  readonly made: ReturnType<typeof contentsOf>;
  readonly versions: readonly string[];
}

/** Checks what a command left, and tells it on one line. */
async function judge(
  command: FaultyCommand,
  folder: string,
  { fault, left }: { fault: InjectedFault; left: LeftWithFault },
  { before, made, versions }: Expected,
): Promise<string> {
  const { whole, makes } = command;
  const after = contentsOf(folder);
  const told = tellOf(fault, left, whole);
  const own = (path: string) =>
    path.startsWith(".tinycoder-engine") ||
    makes.some((one) => path === one || path.startsWith(`${one}/`));
  const others = (contents: typeof after) =>
    Object.fromEntries(
      Object.entries(contents).filter(([path]) => !own(path)),
    );
  assert.deepEqual(others(after), others(before), "files of others");
  const outcomes: string[] = [];
  for (const one of makes) {
    if (!Object.hasOwn(after, one)) {
      assert.notEqual(left.code, whole, `no ${one}`);
      outcomes.push(`no ${one}`);
    } else if (after[one] !== null) {
      assert.equal(after[one]?.length, made[one]?.length, `${one} isn't whole`);
      outcomes.push(`a whole ${one}`);
    } else if (command.name === "acquire") {
      outcomes.push(await acquireAgain(command, folder, made));
    } else {
      outcomes.push(await closeAndCheck(`${folder}/${one}`, versions));
    }
  }
  return [told, ...outcomes].join("; ");
}

/** A second command brings what the first one didn't. */
async function acquireAgain(
  { args }: FaultyCommand,
  folder: string,
  made: Expected["made"],
): Promise<string> {
  const { code, err } = await tinycoder(folder, args);
  assert.equal(code, 0, err);
  const after = contentsOf(folder);
  assert.deepEqual(Object.keys(after), Object.keys(made));
  for (const name of CHECKPOINT_FILES) {
    assert.equal(after[`model/${name}`], made[`model/${name}`], name);
  }
  return "whole after a second command";
}

/** What a user was told: nothing's wrong, or one clear error. */
function tellOf(
  { call }: InjectedFault,
  { code, err, injected }: LeftWithFault,
  whole: number,
): string {
  // Rust ends the process where a folder can't be closed after it was listed.
  if (call === "close" && err.includes("Deno has panicked")) {
    return "the runtime panics";
  }
  const said = err.replace(/^[^]*(Agreed to|Answered) by --yes\.\n+/, "");
  const lines = said.split("\n").slice(0, -1);
  assert.ok(injected > 0, "The fault didn't happen");
  assert.doesNotMatch(said, /^\s+at |file:\/\/|Error:|backtrace|panicked/m);
  assert.doesNotMatch(said, /\/tmp\//);
  if (code === whole) return `exit ${code}`;
  assert.ok([3, 4, 5].includes(code), `exit ${code}: ${err}`);
  assert.ok(lines.length <= 3, said);
  return `exit ${code}: ${lines.join(" ").replaceAll(/\b\d+\b/g, "n")}`;
}

/** The source's bytes by version, in the one run below a folder. */
function sourceVersions(folder: string): string[] {
  const run = ["run", "trial", "again"].find((name) =>
    fs.existsSync(`${folder}/${name}`)
  );
  if (run === undefined) return [];
  const backups = fs.readdirSync(`${folder}/${run}/backups`).sort()
    .map((name) => `backups/${name}`);
  return [...backups, "workspace/toy_math.py"].map((name) =>
    fs.readFileSync(`${folder}/${run}/${name}`, "utf8")
  );
}
