// `--run DIR --model-directory DIR`: what a trial needs beyond any other run: a
// verified folder, memory and disk, a yes, the one core trial's reservation, and
// the model's worker in a room of its own.

import { reserveCoreTrial, trialFault } from "../acquire/core_trial.ts";
import { pinnedPlan } from "../acquire/checkpoint_plan.ts";
import { readLedger } from "../acquire/ledger.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import {
  type CheckpointManifest,
  MAX_MANIFEST_FILE_BYTES,
  PINNED_CHECKPOINT,
  readCheckpointManifest,
} from "../model/checkpoint_manifest.ts";
import { declaredModel } from "../model/declared_model.ts";
import { installEngine } from "../model/engine.ts";
import { requireLoadable } from "../model/loadable_engine.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import {
  type ModelChannel,
  type ModelProgress,
  ModelSource,
} from "../model/model_source.ts";
import { ENGINE_THREADS } from "../model/worker_protocol.ts";
import { RUN_MS } from "../supervisor/deadline_gate.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { readContained } from "../system/contained_file.ts";
import type { Files } from "../system/files.ts";
import { modelRights } from "../system/permissions.ts";
import type { Resources } from "../system/resources.ts";
import type { RunDeclaration } from "./lab_manifest.ts";
import { askYes } from "./opt_in.ts";
import { RUN_COVERS } from "./run_covers.ts";
import type { Terminal } from "./terminal.ts";

/** What was typed for a trial. */
export interface TrialOptions {
  readonly modelDirectory: string;
  /** An extension's manifest file; the pinned checkpoint if absent. */
  readonly checkpoint: string | undefined;
  /** The declared change; absent for the core trial. */
  readonly extension: string | undefined;
  readonly yes: boolean;
}

/** A trial that was agreed to, before anything of it exists. */
export interface AgreedTrial {
  readonly declared: Pick<
    RunDeclaration,
    "coreTrial" | "extension" | "authority" | "model"
  >;
  /**
   * Takes the core trial, where this is it, and starts the model's worker. A
   * folder's one core trial counts as used from here on.
   */
  begin(onProgress: (progress: ModelProgress) => void): BegunTrial;
}

/** A trial whose worker runs. */
export interface BegunTrial {
  readonly source: ModelSource;
  /** In milliseconds: ten minutes, or what the window leaves. */
  readonly runMs: number;
}

/** Bytes that a float32 copy and its surroundings take, for a stored byte. */
const MEMORY_FACTOR = 3;
/** Room for runtime and libraries, in bytes. */
const MEMORY_FLOOR = 300_000_000;
/** Room for the engine's native files and a run's evidence, in bytes. */
const DISK_BYTES = 100_000_000;

/**
 * Checks what a trial needs and asks for the yes.
 *
 * @throws {CommandError} refused, before anything was made.
 */
export async function agreeToTrial(
  { files, resources }: { files: Files; resources: Resources },
  options: TrialOptions,
  run: { readonly id: string; readonly folder: string },
  terminal: Terminal,
): Promise<AgreedTrial> {
  const { modelDirectory, extension } = options;
  const refuse = (why: string, next: string) =>
    new CommandError(EXIT.refused, {
      what: `Cannot begin a trial with the model in ${
        JSON.stringify(modelDirectory)
      }`,
      why,
      next,
    });
  const folder = modelFolder(files, modelDirectory, refuse);
  const manifest = declaredCheckpoint(files, options.checkpoint, refuse);
  if (!manifest.pinned && extension === undefined) {
    throw refuse(
      "another checkpoint than the pinned one is an extension",
      "Declare what is different: --extension TEXT",
    );
  }
  const needs = requireRoom(resources, manifest, refuse);
  const coreTrial = manifest.pinned && extension === undefined;
  if (coreTrial) requireCoreTrial(files, folder, modelDirectory, refuse);
  const shown = trialText(options, manifest, coreTrial, needs, run.folder);
  const answer = await askYes(shown, options.yes, terminal);
  if (answer === "no") {
    throw refuse(
      "it was not agreed to",
      'Nothing was made. Answer "yes", or give --yes, to begin.',
    );
  }
  let engine: Awaited<ReturnType<typeof installEngine>>;
  try {
    engine = await installEngine();
    requireLoadable(engine);
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    throw refuse("its engine can't be used", `${error.message}.`);
  }
  return {
    declared: {
      coreTrial,
      extension: extension ?? null,
      authority: { opt_in: answer, covers: RUN_COVERS },
      model: { ...declaredModel(manifest), agreed_to: shown },
    },
    begin: (onProgress) => {
      let runMs = RUN_MS;
      if (coreTrial) {
        const reserved = reserveCoreTrial({
          files,
          resources,
          folder,
          shownAs: modelDirectory,
          plan: pinnedPlan(),
          limits: LAB_LIMITS,
          runId: run.id,
        });
        if (!reserved.ok) {
          const { what, why, next } = reserved.refusal;
          throw new CommandError(EXIT.refused, { what, why, next });
        }
        runMs = reserved.reservation.runMs;
      }
      const worker = new Worker(
        new URL("../../worker/model.ts", import.meta.url),
        {
          type: "module",
          name: "model",
          deno: { permissions: modelRights(folder, engine.binding) },
        } as WorkerOptions,
      );
      const source = new ModelSource(worker as unknown as ModelChannel, {
        folder,
        binding: engine.binding,
        manifest,
        threads: ENGINE_THREADS,
      }, onProgress);
      return { source, runMs };
    },
  };
}

type Refuse = (why: string, next: string) => CommandError;

function modelFolder(files: Files, typed: string, refuse: Refuse): string {
  const next = "Give the model's folder, below the current one.";
  try {
    const folder = files.realPath(typed);
    if (!folder.startsWith(`${files.realPath(".")}/`)) {
      throw refuse("it does not lie below the current folder", next);
    }
    if (files.facts(folder)?.kind === "directory") return folder;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(
      error instanceof Deno.errors.NotCapable
        ? "it does not lie below the current folder"
        : "there is no such folder",
      next,
    );
  }
  throw refuse("it is not a folder", next);
}

function declaredCheckpoint(
  files: Files,
  typed: string | undefined,
  refuse: Refuse,
): CheckpointManifest {
  if (typed === undefined) return PINNED_CHECKPOINT;
  const shown = JSON.stringify(typed);
  const next = "Give a checkpoint's manifest, below the current folder.";
  try {
    const path = files.realPath(typed);
    const cut = path.lastIndexOf("/");
    const read = readContained(
      files,
      path.slice(0, cut),
      path.slice(cut + 1),
      MAX_MANIFEST_FILE_BYTES,
    );
    if (read.ok) return readCheckpointManifest(read.bytes);
    throw refuse(`the manifest ${shown} is ${read.finding}`, next);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(
      error instanceof ModelRefusal
        ? `the manifest ${shown} can't be used: ${error.message}`
        : `the manifest ${shown} can't be read`,
      next,
    );
  }
}

/** Says before anything is asked or made that there is no core trial to take. */
function requireCoreTrial(
  files: Files,
  folder: string,
  shownAs: string,
  refuse: Refuse,
): void {
  const place = {
    files,
    folder,
    shownAs,
    plan: pinnedPlan(),
    limits: LAB_LIMITS,
  };
  const read = readLedger(place);
  const acquire = `tinycoder acquire --directory ${shownAs}`;
  if (!read.ok) {
    throw refuse(
      `it has no ledger of an acquisition: ${read.why}`,
      `Acquire the checkpoint, or have your files verified: ${acquire} --from DIR`,
    );
  }
  if (read.content.status !== "verified") {
    throw refuse(
      "not all of its files are verified",
      `Complete it first: ${acquire}`,
    );
  }
  const fault = trialFault(read.content, "");
  if (fault !== null) throw refuse(fault.refusal.why, `${fault.refusal.next}`);
}

/** What a trial is estimated to take, in bytes. */
interface Needs {
  readonly memory: number;
  readonly disk: number;
}

function requireRoom(
  resources: Resources,
  manifest: CheckpointManifest,
  refuse: Refuse,
): Needs {
  const stored = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const memory = manifest.pinned
    ? pinnedPlan().memoryBytes
    : MEMORY_FACTOR * stored + MEMORY_FLOOR;
  const available = resources.availableMemoryBytes();
  if (available < memory) {
    throw refuse(
      `it needs about ${gigabytes(memory)} of memory, and ${
        gigabytes(available)
      } are available`,
      "Close other programs, or use a machine with more memory.",
    );
  }
  const free = resources.freeDiskBytes(".");
  if (free < DISK_BYTES) {
    throw refuse(
      `it needs about ${gigabytes(DISK_BYTES)} of free disk, and ${
        gigabytes(free)
      } are free`,
      "Free some space first.",
    );
  }
  return { memory, disk: DISK_BYTES };
}

function trialText(
  { modelDirectory, extension }: TrialOptions,
  manifest: CheckpointManifest,
  coreTrial: boolean,
  needs: Needs,
  runFolder: string,
): string {
  return [
    `Model            ${manifest.label}, in ${modelDirectory}`,
    `Run              ${runFolder}, a new folder`,
    coreTrial
      ? "Kind             the core trial: the one that this model folder has"
      : `Kind             an extension: ${extension}`,
    `Memory           about ${gigabytes(needs.memory)}`,
    `Disk             about ${gigabytes(needs.disk)}`,
    "Time             at most 10 minutes, 2 of them for one call",
    `It authorises    ${RUN_COVERS}.`,
    "",
    "Load this model and let it make at most six proposals?",
  ].join("\n");
}

function gigabytes(bytes: number): string {
  return bytes < 1e9
    ? `${Math.ceil(bytes / 1e6)} MB`
    : `${(bytes / 1e9).toFixed(1)} GB`;
}
