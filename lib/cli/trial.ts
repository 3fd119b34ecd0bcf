// `--run DIR --model-directory DIR`: what a trial needs beyond any other run: a
// verified folder, memory and disk, a yes, the one core trial's reservation, and
// the model's worker in a room of its own.

import {
  type AcquisitionFacts,
  acquisitionFacts,
} from "../acquire/acquisition_facts.ts";
import { reserveCoreTrial } from "../acquire/core_trial.ts";
import { pinnedPlan } from "../acquire/checkpoint_plan.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
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
import { endBy } from "../system/end_program.ts";
import type { Files } from "../system/files.ts";
import { modelRights } from "../system/permissions.ts";
import type { Resources } from "../system/resources.ts";
import type { RunDeclaration } from "./lab_manifest.ts";
import { askYes } from "./opt_in.ts";
import { quoteTyped } from "./quote_typed.ts";
import { RUN_COVERS } from "./run_covers.ts";
import type { Terminal } from "./terminal.ts";
import {
  declaredCheckpoint,
  extensionFault,
  modelFolder,
  requireCheckpoint,
  requireCoreTrial,
  requireEntries,
} from "./trial_checks.ts";
import { requireRoom, trialText } from "./trial_needs.ts";

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
  /**
   * Takes the core trial, where this is it, and starts the model's worker. A
   * folder's one core trial counts as used from here on.
   */
  begin(onProgress: (progress: ModelProgress) => void): BegunTrial;
}

/** A trial whose worker runs. */
export interface BegunTrial {
  readonly declared: Pick<
    RunDeclaration,
    "coreTrial" | "extension" | "authority" | "model"
  >;
  readonly source: ModelSource;
  /** In milliseconds: ten minutes, or what the window leaves. */
  readonly runMs: number;
}

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
  const what = `Cannot begin a trial with the model in ${
    quoteTyped(modelDirectory)
  }`;
  const refuse = (why: string, next: string) =>
    new CommandError(EXIT.refused, { what, why, next });
  const fault = extensionFault(extension);
  if (fault !== null) {
    throw new CommandError(EXIT.usage, {
      what: "Cannot use --extension",
      why: fault,
      next: "Say in a few words what is different in this trial.",
    });
  }
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
  else requireEntries(folder, manifest, refuse);
  const shown = trialText(options, manifest, coreTrial, needs, run.folder);
  const answer = await askYes(shown, options.yes, terminal, {
    what,
    next: "Nothing was made.",
  });
  if (answer === "no") {
    throw refuse(
      "it was not agreed to",
      'Nothing was made. Answer "yes", or give --yes, to begin.',
    );
  }
  let engine: Awaited<ReturnType<typeof installEngine>>;
  try {
    engine = await installEngine();
    endBy(requireLoadable(engine));
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    throw refuse("its engine can't be used", `${error.message}.`);
  }
  if (coreTrial) requireCheckpoint(folder, manifest, modelDirectory, refuse);
  return {
    begin: (onProgress) => {
      let runMs = RUN_MS;
      let acquisition: AcquisitionFacts | null = null;
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
        acquisition = acquisitionFacts(reserved.reservation.ledger);
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
      return {
        declared: {
          coreTrial,
          extension: extension ?? null,
          authority: { opt_in: answer, covers: RUN_COVERS },
          model: { ...declaredModel(manifest), agreed_to: shown, acquisition },
        },
        source,
        runMs,
      };
    },
  };
}
