// Lab Part 7: negative checks as data. A scenario says what is proposed, what
// happens outside meanwhile, and what must come of it; it holds no code, so that
// anyone can read what was checked, and add one.

import { stopReason } from "../../lab/lab_final_fields.ts";
import { z } from "../../system/zod.ts";
import {
  alterationSchema,
  tamperingExpectationSchema,
} from "./tampering_format.ts";

/** Version of the scenarios' format. */
export const SCENARIO_VERSION = 1;

/** Bytes: text, base64, or text filled up with spaces to a number of bytes. */
const bytesSchema = z.union([
  z.string(),
  z.strictObject({ base64: z.base64() }),
  z.strictObject({
    text: z.string(),
    spaces_to_bytes: z.int().min(1).max(8_192),
  }),
]);

/** Bytes as a scenario writes them. */
export type ScenarioBytes = z.infer<typeof bytesSchema>;

/** A question that the source leaves without an answer. */
const failureSchema = z.strictObject({
  failed: z.enum(["cancelled", "time_limit", "model_error"]),
  detail: z.string(),
});

/** One attempt: the bytes that it brings, or why it brings none. */
const attemptSchema = z.union([bytesSchema, failureSchema]);

/** One attempt of a scenario's source. */
export type ScenarioAttempt = z.infer<typeof attemptSchema>;

/** A path below the run's folder: plain names alone, so none leads out of it. */
const pathSchema = z.string().regex(/^(?:\.?\w[\w.]*\/)*\.?\w[\w.]*$/);

const act = <Name extends string>(name: Name) => ({ act: z.literal(name) });

const DOES_SOMETHING: ReadonlySet<string> = new Set([
  "write",
  "sync",
  "rename",
  "sync_folder",
]);

/** What happens outside the controller. */
const actSchema = z.discriminatedUnion("act", [
  /** The supervisor writes the stop word. */
  z.strictObject(act("cancel")),
  /** The clock goes on; nothing else ever moves it. */
  z.strictObject({ ...act("advance_clock"), ms: z.int().positive() }),
  /** Writes into the file itself, which stays the same file. */
  z.strictObject({ ...act("write"), file: pathSchema, bytes: bytesSchema }),
  /** Puts another file in its place by a rename. */
  z.strictObject({ ...act("swap"), file: pathSchema, bytes: bytesSchema }),
  /** Renames the file, and puts a link to it in its place. */
  z.strictObject({ ...act("symlink"), file: pathSchema }),
  /** Gives the file a second name. */
  z.strictObject({ ...act("hard_link"), file: pathSchema }),
  /** Puts a FIFO in its place. */
  z.strictObject({ ...act("fifo"), file: pathSchema }),
  /** Puts an empty folder in its place; makes one where nothing was. */
  z.strictObject({ ...act("folder"), file: pathSchema }),
  z.strictObject({ ...act("delete"), file: pathSchema }),
  /**
   * From now on, this operation on this file answers with an error: once, or
   * `times` times. Where `performed`, the operation was done all the same.
   */
  z.strictObject({
    ...act("fault"),
    operation: z.enum([
      "real_path",
      "facts",
      "open",
      "read",
      "create",
      "write",
      "short_write",
      "sync",
      "rename",
      "sync_folder",
    ]),
    file: pathSchema,
    code: z.enum(["EIO", "ENOSPC", "EACCES"]),
    times: z.int().min(1).max(100).default(1),
    performed: z.boolean().default(false),
  }),
]).refine(
  (it) =>
    it.act !== "fault" || !it.performed || DOES_SOMETHING.has(it.operation),
  "Only an operation that changes something can be performed and fail",
);

/** One thing that happens outside the controller. */
export type Act = z.infer<typeof actSchema>;

/** Points of one attempt, in the order in which an attempt passes them. */
export const ATTEMPT_POINTS = [
  /** Before the controller asks for this proposal. */
  "before_request",
  /**
   * The source is at work. A stop word or deadline here keeps the proposal
   * from arriving, as the supervisor does it.
   */
  "during_generation",
  /** The same, but the proposal arrives all the same. */
  "late_proposal",
  /** The proposal is an admitted action, which isn't carried out yet. */
  "before_dispatch",
  /** The integrity check has looked at toy_math.py and is about to open it. */
  "during_check",
  /** The edit's temporary file is written; the recheck comes next. */
  "before_recheck",
  /** The recheck is passed; the rename comes next. */
  "before_rename",
  /** The rename is done, the folder isn't flushed. */
  "after_rename",
] as const;

/** Points after the loop, in order. */
export const ENDING_POINTS = [
  /** The loop has stopped; the final snapshot isn't taken. */
  "after_loop",
  /** The final snapshot is taken; the evaluation hasn't begun. */
  "before_evaluation",
  /** One of the twelve cases is evaluated. */
  "during_evaluation",
] as const;

const injectedSchema = z.union([
  z.strictObject({
    proposal: z.int().min(1).max(6),
    point: z.enum(ATTEMPT_POINTS),
    does: actSchema,
  }),
  z.strictObject({ point: z.enum(ENDING_POINTS), does: actSchema }),
]);

/** An act, and where in the run it happens. */
export type InjectedAct = z.infer<typeof injectedSchema>;

/** Where in a run acts happen. */
export type Point = InjectedAct["point"];

/** A JSON object that need name only what matters; see `findMismatch`. */
const partSchema = z.record(z.string(), z.json());

const runExpectationSchema = z.strictObject({
  /** A part of each observation, in order; no more and no fewer were made. */
  observations: z.array(partSchema),
  /** Fields of the final report. */
  final: z.looseObject({
    stop_reason: stopReason,
    detail: z.string().nullable(),
    proposals: z.int(),
    invalid_proposals: z.int(),
    version: z.int(),
    final_evaluation: z.string(),
    verified_success: z.boolean(),
  }),
  /** The expressions that the controller ends with, whatever is on disk. */
  source: z.strictObject({ clamp: z.string(), total: z.string() }),
  /** Whether toy_math.py still is the controller's source at the end. */
  on_disk: z.enum(["as_recorded", "changed"]).default("as_recorded"),
  /** Names in `backups/`, sorted. */
  backups: z.array(z.string()),
  /** Names in `workspace/`, sorted: what an edit left for inspection too. */
  workspace: z.array(z.string()).default(["TASK.txt", "toy_math.py"]),
  /** Parts of records that follow one another, with others between them. */
  records: z.array(partSchema).default([]),
  /** Event types that must not be recorded. */
  absent: z.array(z.string()).default([]),
  /** What the last request's user message must and must not contain. */
  last_request: z.strictObject({
    contains: z.array(z.string()),
    lacks: z.array(z.string()),
  }).optional(),
});

const about = {
  format: z.literal("tinycoder/scenario"),
  format_version: z.literal(SCENARIO_VERSION),
  /** The file's name, without `.json`. */
  name: z.string().regex(/^[a-z0-9_]{1,64}$/),
  /** One sentence. */
  shows: z.string().regex(/^[A-Z].*\.$/),
  /** The lab's part that asks for it. */
  lab_part: z.enum(["3", "4", "5", "6", "7", "8", "9", "10"]),
};

/** A scenario that conducts a run. */
const runScenarioSchema = z.strictObject({
  ...about,
  /** What the source brings, one attempt after the other. */
  attempts: z.array(attemptSchema).max(8),
  injected: z.array(injectedSchema).default([]),
  /** Synthetic observations that are in the log before the first request. */
  observations: z.array(partSchema).default([]),
  /**
   * What the source's tokenizer counts, one count after the other; the last
   * one goes on. Without it the source counts nothing.
   */
  token_counts: z.array(z.union([z.int().nonnegative(), failureSchema]))
    .min(1).optional(),
  expect: runExpectationSchema,
});

/** A scenario that is refused a folder for its run. */
const folderScenarioSchema = z.strictObject({
  ...about,
  /** The run folder, as a user would type it. */
  destination: z.string(),
  /** What makes the destination unfit, below the current folder. */
  before: z.array(actSchema),
  expect: z.strictObject({
    exit_code: z.literal(3),
    message: z.string(),
  }),
});

/** A scenario that alters a finished run, which is then verified. */
const tamperingScenarioSchema = z.strictObject({
  ...about,
  /** What the run's source brought; without it the scripted baseline. */
  attempts: z.array(attemptSchema).max(6).optional(),
  /**
   * How the run was closed: by itself, by recovery after its process died in
   * its last edit, or by itself and signed, where the signature is verified too.
   */
  closed: z.enum(["by_itself", "by_recovery", "signed"]).default("by_itself"),
  tampering: z.array(z.union([
    alterationSchema,
    z.strictObject({
      act: z.enum(["symlink", "hard_link", "fifo", "folder"]),
      file: pathSchema,
    }),
  ])).min(1),
  expect: tamperingExpectationSchema,
});

/** The format of `fixtures/scenarios/*.json`. */
export const scenarioSchema = z.union([
  runScenarioSchema,
  folderScenarioSchema,
  tamperingScenarioSchema,
]);

/** A scenario that conducts a run. */
export type RunScenario = z.infer<typeof runScenarioSchema>;
/** A scenario that is refused a folder. */
export type FolderScenario = z.infer<typeof folderScenarioSchema>;
/** A scenario that alters a finished run. */
export type TamperingScenario = z.infer<typeof tamperingScenarioSchema>;
/** One check of the harness. */
export type Scenario = RunScenario | FolderScenario | TamperingScenario;

/** Bytes that a scenario writes out. */
export function scenarioBytes(bytes: ScenarioBytes): Uint8Array {
  if (typeof bytes === "string") return new TextEncoder().encode(bytes);
  if ("base64" in bytes) return Uint8Array.fromBase64(bytes.base64);
  const text = new TextEncoder().encode(bytes.text);
  const filled = new Uint8Array(bytes.spaces_to_bytes).fill(0x20);
  if (text.length > filled.length) {
    throw new RangeError(
      `Cannot fill ${text.length} bytes up to ${filled.length}`,
    );
  }
  filled.set(text);
  return filled;
}
