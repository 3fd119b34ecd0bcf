// The runs that are altered in the sweep: each ends in another way, so that
// every event type and every kind of fact is in one of them.

import type { Gate, StopWord } from "../lib/agent/gate.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import type { Attempt, Source } from "../lib/agent/source.ts";
import { conductLabRun } from "../lib/cli/lab_run.ts";
import { WALLS } from "../lib/cli/probe_room.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import type { Files } from "../lib/system/files.ts";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import {
  countingClock,
  freshFolder,
  openGate,
  recoverLabRun,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { declaredManifest } from "./declared_manifest.ts";
import { readRunFiles, type RunFiles } from "./memory_files.ts";
import {
  EXTENSION,
  PINNED,
  TOLD_ACQUISITION,
  type ToldAnswer,
  toldDeclaration,
  toldSource,
} from "./told_model.ts";

/** One run of the sweep. */
export interface SweptRun {
  readonly name: string;
  readonly files: RunFiles;
}

const [READ, TEST, CLAMP] = baseline as [string, string, string];

/** One kind of run. */
export interface RunKind {
  readonly name: string;
  /** Conducts it in an empty folder, given by its real path. */
  conduct(folder: string, files: Files): Promise<JsonObject>;
}

const kind = (
  name: string,
  source: string,
  proposals: () => Source,
  conditions: () => Conditions = () => ({}),
): RunKind => ({
  name,
  conduct: (folder, files) =>
    conductIn({ folder, files, source }, proposals(), conditions()),
});

/** Kinds of runs that come to their own end, each another one. */
export const RUN_KINDS: readonly RunKind[] = [
  kind("baseline", "scripted", () => scriptedSource(baseline)),
  kind("failed_stdio", "stdio", () =>
    proposing([
      { proposal_text: READ },
      { proposal_text: '{"action": "test"} and prose' },
      { proposal_text: CLAMP },
      { proposal_base64: new Uint8Array([0x7b, 0xff, 0x7d]).toBase64() },
      { proposal_text: '{"action":"finish","version":0}' },
    ])),
  kind(
    "cancelled",
    "stdio",
    () => proposing(baseline.map((text) => ({ proposal_text: text }))),
    () => ({ gate: stoppedAt(15, "cancelled") }),
  ),
  kind(
    "cancelled_in_edit",
    "scripted",
    () => scriptedSource(baseline),
    () => ({ gate: stoppedAt(10, "cancelled") }),
  ),
  kind("model", "model", () => toldSource(PINNED, ANSWERS), () => ({
    model: toldDeclaration(PINNED, TOLD_ACQUISITION),
  })),
  kind(
    "model_extension",
    "model",
    () => toldSource(EXTENSION, ANSWERS.slice(0, 1)),
    () => ({ model: toldDeclaration(EXTENSION), extension: "A smaller model" }),
  ),
  kind("second_trial", "model", () => toldSource(PINNED, []), () => ({
    model: toldDeclaration(PINNED),
    extension: "A second trial",
  })),
  {
    // Finds its source changed from outside before its fourth action.
    name: "conflict",
    conduct: (folder, files) =>
      conductIn(
        { folder, files, source: "scripted" },
        meddling(4, () =>
          Deno.writeTextFileSync(`${folder}/workspace/toy_math.py`, "x\n")),
      ),
  },
];

/** Conducts every run of the sweep, and takes its folder into memory. */
export async function sweptRuns(): Promise<readonly SweptRun[]> {
  const runs: SweptRun[] = [];
  for (const { name, conduct } of RUN_KINDS) {
    using folder = freshFolder();
    await conduct(folder.path, unflushedFiles);
    runs.push({ name, files: readRunFiles(folder.path) });
  }
  return [...runs, await recovered()];
}

/** What a run may have beside its proposals. */
export interface Conditions {
  readonly gate?: Gate;
  readonly model?: JsonObject;
  readonly extension?: string;
}

/** The baseline's proposals; before the nth of them something else happens. */
export function meddling(nth: number, meddle: () => void): Source {
  const source = scriptedSource(baseline);
  return {
    propose: (request, gate) => {
      if (request.proposalNumber === nth) meddle();
      return source.propose(request, gate);
    },
  };
}

/** A run that dies after its second intent, in the middle of a record. */
async function recovered(): Promise<SweptRun> {
  using folder = freshFolder();
  const { path } = folder;
  await RUN_KINDS[0]!.conduct(path, unflushedFiles);
  const audit = Deno.readTextFileSync(`${path}/audit.jsonl`);
  const intent = audit.lastIndexOf('"event":"edit_intent"');
  const cut = audit.indexOf("\n", intent) + 1 + 100;
  Deno.writeTextFileSync(`${path}/audit.jsonl`, audit.slice(0, cut));
  Deno.removeSync(`${path}/final.json`);
  await recoverLabRun(unflushedFiles, path);
  return { name: "recovered", files: readRunFiles(path) };
}

/** Conducts a run of the lab's task without threads. */
export function conductIn(
  { folder, files, source }: {
    readonly folder: string;
    readonly files: Files;
    readonly source: string;
  },
  proposals: Source,
  conditions: Conditions = {},
): Promise<JsonObject> {
  const { gate = openGate, model = null, extension = null } = conditions;
  const clock = countingClock();
  return conductLabRun({
    files,
    folder,
    manifest: declaredManifest({
      created: clock.wallTime(),
      enforced: Object.fromEntries(WALLS.map((wall) => [wall, "denied"])),
    }, {
      source,
      coreTrial: model !== null && extension === null,
      extension,
      runtime: { tinycoder: "0.1.0", deno: "2.9.4", os: "linux", cores: 2 },
      model,
    }),
    source: proposals,
    gate,
    clock,
  });
}

type Proposal = Pick<
  Attempt,
  "proposal_text" | "proposal_base64" | "failed" | "detail"
>;

function proposing(proposals: readonly Proposal[]): Source {
  const none: Proposal = { failed: "cancelled", detail: "The input ended" };
  return {
    propose: ({ proposalNumber }) =>
      Promise.resolve({
        ...proposals[proposalNumber - 1] ?? none,
        elapsed_ms: 1.5,
      }),
  };
}

/** Three answers of a model: the first two end, the last one runs on. */
const ANSWERS: readonly ToldAnswer[] = [
  { text: READ, outputIds: [17, 18, 19] },
  { text: TEST, outputIds: [20] },
  { text: "prose", outputIds: Array.from({ length: 128 }, () => 21) },
];

/** A gate that says this word from the nth question on. */
export function stoppedAt(question: number, word: StopWord): Gate {
  let asked = 0;
  const stop = (): StopWord | null => ++asked >= question ? word : null;
  return { ...openGate, stop, runExpired: () => stop() === "run_expired" };
}
