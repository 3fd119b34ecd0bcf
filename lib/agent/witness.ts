// Evidence can derive a run again without knowing its task. What only the task
// knows (which files must lie there, which facts the world can't have told) is
// checked by a witness that it brings.

import type { JsonObject } from "./json.ts";

/** One recorded event, as a witness sees it. */
export interface WitnessedEvent {
  readonly event: string;
  readonly kind: "fact" | "derived";
  /** The place in the program that asked for a fact; null for a derived one. */
  readonly at: string | null;
  readonly proposal_number: number | null;
  readonly content: JsonObject;
}

/** Something that can't be as it is. */
export interface Contradiction {
  /** Absent where something is there that differs. */
  readonly code?: "extra_file" | "missing_file";
  /** One sentence without a full stop. */
  readonly message: string;
  /** A file below the run's folder, where one contradicts. */
  readonly file?: string;
  /** Path of the field, such as `content.sha256`. */
  readonly field?: string;
  readonly expected?: string;
  readonly found?: string;
}

/** What a look at one kind of files came to. */
export interface Inspection {
  /** What was looked at, such as `backups`. */
  readonly name: string;
  /** How many files were compared. */
  readonly checked: number;
  readonly contradiction: Contradiction | null;
}

/** Follows one run's events, then looks at the files they speak of. */
export interface Witness {
  /** Names in the run's folder that belong to the task. */
  readonly folders: readonly string[];
  /** Told of each event in order, recovery's included. */
  see(event: WitnessedEvent): Contradiction | null;
  /** Compares the files with what the events say; reads, and writes nothing. */
  look(): readonly Inspection[];
  /** What was not claimed and so not checked; a sentence each. */
  readonly notes: readonly string[];
}
