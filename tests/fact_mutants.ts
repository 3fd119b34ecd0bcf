// Copies of a run altered by somebody who has the program: a fact is changed,
// and everything that follows from it is derived anew, the files included. Only
// facts that contradict each other can give such a copy away.

import type { JsonObject } from "../lib/agent/json.ts";
import { noProgress } from "../lib/agent/loop.ts";
import type { Recorder, TimedWork } from "../lib/agent/recorder.ts";
import { conductRun } from "../lib/agent/run.ts";
import type { LoopDerived, LoopFacts } from "../lib/agent/events.ts";
import type { Source } from "../lib/agent/source.ts";
import { type Manifest, runIdentity } from "../lib/evidence/manifest.ts";
import { RecordedFault } from "../lib/evidence/replaying_recorder.ts";
import { generateSource } from "../lib/lab/expression/source_wrapper.ts";
import type { LabRecorder } from "../lib/lab/lab_events.ts";
import { LabTask } from "../lib/lab/lab_task.ts";
import { INITIAL_SOURCE } from "../lib/lab/managed_files.ts";
import type { Workspace } from "../lib/lab/workspace.ts";
import { openGate } from "./baseline_in_process.ts";
import { objectIn } from "./chain_mutants.ts";
import type { RunFiles } from "./memory_files.ts";
import {
  alteredFields,
  chainAnew,
  linesOf,
  type Mutant,
  parsed,
} from "./mutants.ts";

/** Every mutant of a run whose consequences were derived anew. */
export function* factMutants(run: RunFiles): Generator<Mutant, void> {
  // A recovered run has its facts in two files; its audit alone is another run.
  if (run.has("recovery.jsonl")) return;
  const records = parsed(linesOf(run.get("audit.jsonl")!).lines);
  const facts = records.filter(({ kind }) => kind === "fact");
  for (const [index, fact] of facts.entries()) {
    const mutant = (
      field: string,
      change: string,
      altered: readonly JsonObject[],
    ): Mutant => ({
      forgery: "facts",
      file: "audit.jsonl",
      event: String(fact["event"]),
      field,
      change,
      make: () => derivedAnew(run, altered),
    });
    const content = fact["content"] as JsonObject;
    yield mutant("record", "delete", facts.toSpliced(index, 1));
    for (const stop of stops(fact)) {
      const altered = facts.toSpliced(index + 1, 0, stop);
      yield mutant(`insert ${stop["event"]}`, "insert", altered);
    }
    for (const { path, change, value } of alteredFields(content)) {
      const altered = { ...fact, content: value };
      yield mutant(
        `content.${path}`,
        change,
        facts.toSpliced(index, 1, altered),
      );
    }
  }
}

/** Facts that may follow another one. */
function stops(fact: JsonObject): readonly JsonObject[] {
  const stop = (at: string, word: string): JsonObject => ({
    ...fact,
    event: "stop_requested",
    at,
    content: { stop: word },
  });
  return [
    stop("after_generation", "cancelled"),
    stop("before_dispatch", "call_expired"),
    stop("before_evaluation", "run_expired"),
    stop("before_evaluation", "cancelled"),
    {
      ...fact,
      event: "file_changed",
      at: "before_dispatch",
      content: { file: "TASK.txt", finding: "missing", sha256: null },
    },
    {
      ...fact,
      event: "edit_fault",
      at: "commit",
      content: { step: "rename", cause: "io", error: "EIO", found: "before" },
    },
    {
      ...fact,
      event: "edit_fault",
      at: "commit",
      content: {
        step: "rename",
        cause: "cancelled",
        error: null,
        found: "before",
      },
    },
    {
      ...fact,
      event: "harness_fault",
      at: "loop",
      content: { error: "Error", message: "Error" },
    },
  ];
}

/** The run that these facts make; null where they make none. */
async function derivedAnew(
  run: RunFiles,
  facts: readonly JsonObject[],
): Promise<RunFiles | null> {
  const manifest = objectIn(run, "manifest.json") as unknown as Manifest;
  const recorder = new ForgingRecorder(manifest, facts);
  const task = new LabTask({
    recorder: recorder as unknown as LabRecorder,
    gate: openGate,
    workspace: nowhere,
  });
  try {
    await conductRun(
      {
        task,
        source: nobody,
        gate: openGate,
        recorder: recorder as unknown as Recorder<LoopFacts, LoopDerived>,
      },
      runIdentity(manifest),
      noProgress(),
    );
  } catch {
    return null;
  }
  if (!recorder.usedUp) return null;
  const files = new Map(run);
  for (const name of files.keys()) {
    if (name.startsWith("backups/")) files.delete(name);
  }
  const versions = versionsOf(recorder.records);
  const encoder = new TextEncoder();
  for (const { event, content } of recorder.records) {
    if (event !== "edit_intent") continue;
    const { backup, old_version: version } = content as JsonObject;
    const text = versions[Number(version)] ?? "";
    files.set(`backups/${backup}`, encoder.encode(text));
  }
  // Where a conflict was found the file stays as the original run left it.
  if (!recorder.records.some(({ event }) => event === "file_changed")) {
    const text = versions.at(-1) ?? "";
    files.set("workspace/toy_math.py", encoder.encode(text));
  }
  return chainAnew(files, { audit: recorder.records });
}

/** The source's text in each version, by what observations tell. */
function versionsOf(records: readonly JsonObject[]): string[] {
  const versions = [INITIAL_SOURCE];
  for (const { event, content } of records) {
    if (event !== "observation_made") continue;
    const { observation } = content as { observation: JsonObject };
    if (observation["status"] !== "edit_committed") continue;
    const expressions = observation["expressions"] as {
      clamp: string;
      total: string;
    };
    versions.push(generateSource(expressions));
  }
  return versions;
}

/** Hands facts out where they fit, and writes down what follows. */
class ForgingRecorder {
  proposalNumber = 0;
  readonly records: JsonObject[] = [];
  readonly #manifest: Manifest;
  readonly #facts: JsonObject[];
  #ms = 0;

  constructor(manifest: Manifest, facts: readonly JsonObject[]) {
    this.#manifest = manifest;
    this.#facts = [...facts];
  }

  /** Whether every fact was asked for. */
  get usedUp(): boolean {
    return this.#facts.length === 0;
  }

  fact(type: string, at: string): JsonObject | null {
    const next = this.#facts[0];
    if (next === undefined) return null;
    const inPlace = (next["proposal_number"] ?? 0) === this.proposalNumber ||
      next["event"] === "stop_requested";
    if (next["event"] !== type || next["at"] !== at || !inPlace) {
      if (next["event"] === "harness_fault" && inPlace) {
        throw new RecordedFault();
      }
      return null;
    }
    this.#facts.shift();
    const content = next["content"] as JsonObject;
    this.#append("fact", type, at, content);
    return content;
  }

  // deno-lint-ignore require-await
  async factLater(type: string, at: string): Promise<JsonObject | null> {
    return this.fact(type, at);
  }

  derived(type: string, content: JsonObject): number {
    return this.#append("derived", type, null, content);
  }

  timed<T>(_kind: TimedWork, work: () => T): T {
    return work();
  }

  timedLater<T>(_kind: TimedWork, work: () => Promise<T>): Promise<T> {
    return work();
  }

  elapsedMs(): JsonObject {
    return {};
  }

  #append(
    kind: string,
    event: string,
    at: string | null,
    content: JsonObject,
  ): number {
    // A total lies between two records, whatever it is altered to.
    const times = content["elapsed_ms"] as JsonObject | undefined;
    const total = event === "times_measured" ? Number(times?.["total"]) : NaN;
    this.#ms = Number.isFinite(total) ? Math.max(total, this.#ms) : this.#ms;
    this.records.push({
      run_id: this.#manifest.run_id,
      event,
      kind,
      at,
      proposal_number: this.proposalNumber || null,
      monotonic_ms: this.#ms,
      wall_time: this.#manifest.created,
      source: this.#manifest.proposal_source,
      content: JSON.parse(JSON.stringify(content)),
    });
    return this.records.length;
  }
}

const nobody: Source = {
  propose: () => Promise.reject(new Error("The facts end here")),
};

const nowhere: Workspace = {
  inspect: () => null,
  backUp: () => null,
  commit: () => null,
};
