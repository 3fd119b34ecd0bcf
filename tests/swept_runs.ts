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

/** Conducts every run of the sweep. */
export async function sweptRuns(): Promise<readonly SweptRun[]> {
  return [
    await conducted("baseline", "scripted", scriptedSource(baseline)),
    await conducted(
      "failed_stdio",
      "stdio",
      proposing([
        { proposal_text: READ },
        { proposal_text: '{"action": "test"} and prose' },
        { proposal_text: CLAMP },
        { proposal_base64: new Uint8Array([0x7b, 0xff, 0x7d]).toBase64() },
        { proposal_text: '{"action":"finish","version":0}' },
      ]),
    ),
    await conducted(
      "cancelled",
      "stdio",
      proposing(baseline.map((text) => ({ proposal_text: text }))),
      { gate: cancelledAt(15) },
    ),
    await conducted(
      "cancelled_in_edit",
      "scripted",
      scriptedSource(baseline),
      { gate: cancelledAt(10) },
    ),
    await conducted("model", "model", toldSource(PINNED, ANSWERS), {
      model: toldDeclaration(PINNED, TOLD_ACQUISITION),
    }),
    await conducted(
      "model_extension",
      "model",
      toldSource(EXTENSION, ANSWERS.slice(0, 1)),
      { model: toldDeclaration(EXTENSION), extension: "A smaller model" },
    ),
    await conducted("second_trial", "model", toldSource(PINNED, []), {
      model: toldDeclaration(PINNED),
      extension: "A second trial",
    }),
    await conflicting(),
    await recovered(),
  ];
}

interface Conditions {
  readonly gate?: Gate;
  readonly files?: Files;
  readonly model?: JsonObject;
  readonly extension?: string;
}

/** Conducts one run, and takes its folder into memory. */
async function conducted(
  name: string,
  source: string,
  proposals: Source,
  conditions: Conditions = {},
): Promise<SweptRun> {
  using folder = freshFolder();
  await conductIn(folder.path, source, proposals, conditions);
  return { name, files: readRunFiles(folder.path) };
}

/** A run that finds its source changed from outside before its fourth action. */
async function conflicting(): Promise<SweptRun> {
  using folder = freshFolder();
  const source = scriptedSource(baseline);
  await conductIn(folder.path, "scripted", {
    propose: (request, gate) => {
      if (request.proposalNumber === 4) {
        Deno.writeTextFileSync(`${folder.path}/workspace/toy_math.py`, "x\n");
      }
      return source.propose(request, gate);
    },
  });
  return { name: "conflict", files: readRunFiles(folder.path) };
}

/** A run that dies after its second intent, in the middle of a record. */
async function recovered(): Promise<SweptRun> {
  using folder = freshFolder();
  await conductIn(folder.path, "scripted", scriptedSource(baseline));
  const { path } = folder;
  const audit = Deno.readTextFileSync(`${path}/audit.jsonl`);
  const intent = audit.lastIndexOf('"event":"edit_intent"');
  const cut = audit.indexOf("\n", intent) + 1 + 100;
  Deno.writeTextFileSync(`${path}/audit.jsonl`, audit.slice(0, cut));
  Deno.removeSync(`${path}/final.json`);
  await recoverLabRun(unflushedFiles, path);
  return { name: "recovered", files: readRunFiles(path) };
}

async function conductIn(
  folder: string,
  source: string,
  proposals: Source,
  conditions: Conditions = {},
): Promise<void> {
  const { gate = openGate, files = unflushedFiles } = conditions;
  const { model = null, extension = null } = conditions;
  const clock = countingClock();
  await conductLabRun({
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

/** A gate that says "cancelled" from the nth question on. */
function cancelledAt(question: number): Gate {
  let asked = 0;
  const stop = (): StopWord | null => ++asked >= question ? "cancelled" : null;
  return { ...openGate, stop };
}
