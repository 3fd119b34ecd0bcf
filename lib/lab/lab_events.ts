// The lab task's own events. A finding about a file is a fact; what the
// controller makes of it is derived.

import type { StopWord } from "../agent/gate.ts";
import type { LoopDerived, LoopFacts } from "../agent/events.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Recorder } from "../agent/recorder.ts";
import type { ContainmentFinding } from "../system/contained_file.ts";
import type { FunctionName } from "./expression/function_names.ts";
import type { ManagedFile } from "./managed_files.ts";

/** What an integrity check found in place of the recorded file. */
export interface FileChange extends JsonObject {
  readonly file: ManagedFile;
  readonly finding: ContainmentFinding | "bytes_changed";
  /** Digest of the bytes found, where they could be read. */
  readonly sha256: string | null;
}

/** Which bytes an uncertain edit left. */
export type FoundBytes = "before" | "after" | "other";

/** What kept an edit from committing in the ordinary way. */
export interface EditFault extends JsonObject {
  /** The step that didn't happen, or didn't say that it had. */
  readonly step:
    | "backup"
    | "temporary"
    | "recheck"
    | "rename"
    | "sync"
    | "read_back";
  readonly cause: StopWord | "target_changed" | "io";
  /** The system's error code, where there was one. */
  readonly error: string | null;
  readonly found: FoundBytes;
}

/** The managed files as they are after a process died. */
export interface WorkspaceFound extends JsonObject {
  /** Against the recorded digests: last receipt's, open intent's, neither. */
  readonly bytes: FoundBytes;
  readonly change: FileChange | null;
}

/** Facts of the lab task. */
export interface LabFacts extends LoopFacts {
  file_changed: FileChange;
  edit_fault: EditFault;
  workspace_found: WorkspaceFound;
}

/** Passed and total cases of one kind. */
export interface Score extends JsonObject {
  readonly passed: number;
  readonly total: number;
}

/** Whether and how the final evaluation ran (lab Part 6). */
export type EvaluationStatus =
  | "performed"
  | "unperformed"
  | "deadline"
  | "interrupted"
  | "unsafe"
  | "workspace_conflict";

/** Derived events of the lab task. */
export interface LabDerived extends LoopDerived {
  /** Observations left out of one request so that it fits. */
  observations_omitted: {
    readonly event_ids: readonly number[];
    readonly kind: "read" | "test" | "error" | "no_change";
  };
  /** Write-ahead: what an edit is about to do. */
  edit_intent: {
    readonly function: FunctionName;
    readonly old_version: number;
    readonly before: string;
    readonly after: string;
    readonly backup: string;
    readonly temporary: string;
  };
  /** Receipt: the edit is on disk. */
  edit_committed: {
    readonly version: number;
    readonly sha256: string;
    /** Whether it took a look at the bytes to know. */
    readonly reconciled: boolean;
  };
  /** Receipt: the edit is not on disk, and won't be. */
  edit_abandoned: {
    readonly version: number;
    readonly sha256: string;
    readonly cause: string;
  };
  final_evaluation: {
    readonly status: EvaluationStatus;
    readonly version: number;
    readonly sha256: string | null;
    readonly cases: readonly JsonObject[];
  };
}

/** The recorder as the lab task sees it. */
export type LabRecorder = Recorder<LabFacts, LabDerived>;

/** Event types that must be on the device before the run goes on. */
export const DURABLE_EVENTS = [
  "edit_intent",
  "edit_committed",
  "edit_abandoned",
  "loop_stopped",
  "final_evaluation",
  "run_ended",
] as const;
