// Lab Part 1: five predictions, written before anything runs. A later one never
// replaces an earlier one: both are kept, in order, each tied to the one before it
// by a digest.

import { z } from "../system/zod.ts";
import type { JsonObject } from "../agent/json.ts";
import { type Files, publish } from "../system/files.ts";
import { removeQuietly } from "../system/create_or_nothing.ts";
import { readContained } from "../system/contained_file.ts";
import { firstIssue } from "../system/first_issue.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import { scanJson } from "../system/strict_json.ts";

/** Name of the file that predictions are kept in, in the current folder. */
export const PREDICTIONS_NAME = "predictions.json";

/** Most bytes of that file. */
const MAX_PREDICTIONS_BYTES = 1024 * 1024;
/** Most sets that are kept; so many fit into that file. */
export const MAX_PREDICTION_SETS = 100;
/** Most characters of an answer in words. */
export const MAX_ANSWER_CHARACTERS = 1_000;

/** One question, and the answers that it can have. */
export interface PredictionQuestion {
  /** Field name of its answer. */
  readonly name: string;
  /** The lab's own words. */
  readonly question: string;
  /** The closed set of answers; null for an answer in words. */
  readonly choices: readonly string[] | null;
}

/** The lab's five questions, in its order. */
export const PREDICTION_QUESTIONS: readonly PredictionQuestion[] = [
  {
    name: "first_attempt_valid",
    question: "Will the model produce valid JSON on its first attempt?",
    choices: ["yes", "no"],
  },
  {
    name: "both_repaired",
    question: "Will it repair both functions within six proposals?",
    choices: ["yes", "no"],
  },
  {
    name: "fails_first",
    question: "Which is more likely to fail first: format following, version " +
      "tracking, or arithmetic?",
    choices: ["format", "version", "arithmetic"],
  },
  {
    name: "baseline_passes_anyway",
    question:
      "Can the scripted baseline pass even when the model fails every " +
      "proposal?",
    choices: ["yes", "no"],
  },
  {
    name: "forbidden_proposal",
    question: "What will happen if a model proposes an import or a path " +
      "outside the workspace?",
    choices: null,
  },
];

/** Answers by the questions' names. */
export type PredictionAnswers = Readonly<Record<string, string>>;

/** One set of predictions, as it was recorded. */
export interface RecordedPredictions extends JsonObject {
  /** 1 for the first; a later number supersedes the earlier ones. */
  readonly number: number;
  /** Wall time, ISO 8601 in UTC. */
  readonly recorded: string;
  readonly answers: PredictionAnswers;
  /** SHA-256 of the set before; null for the first. */
  readonly supersedes_sha256: string | null;
  /**
   * SHA-256 of the set's own four parts above: who edits the file by hand is
   * noticed. Whoever also computes this anew is not.
   */
  readonly sha256: string;
}

const answersSchema = z.strictObject(Object.fromEntries(
  PREDICTION_QUESTIONS.map(({ name, choices }) => [
    name,
    choices === null
      ? z.string().min(1).max(MAX_ANSWER_CHARACTERS)
      : z.enum(choices as [string, ...string[]]),
  ]),
));

const DIGEST = z.string().regex(/^[0-9a-f]{64}$/);

const fileSchema = z.strictObject({
  format: z.literal("tinycoder/predictions"),
  format_version: z.literal(1),
  recorded: z.array(z.strictObject({
    number: z.int().min(1),
    recorded: z.iso.datetime(),
    answers: answersSchema,
    supersedes_sha256: DIGEST.nullable(),
    sha256: DIGEST,
  })).min(1).max(MAX_PREDICTION_SETS),
});

/** Predictions so far, or why they can't be used, as a clause. */
export type ReadPredictions =
  | { readonly ok: true; readonly recorded: readonly RecordedPredictions[] }
  | { readonly ok: false; readonly why: string };

/**
 * Reads the predictions kept in a folder; none where there is no such file.
 *
 * @param folder Real path of the folder.
 * @throws The disk's error.
 */
export function readPredictions(files: Files, folder: string): ReadPredictions {
  const read = readContained(
    files,
    folder,
    PREDICTIONS_NAME,
    MAX_PREDICTIONS_BYTES,
  );
  if (!read.ok) {
    return read.finding === "missing"
      ? { ok: true, recorded: [] }
      : { ok: false, why: `the file is ${read.finding.replace("_", " ")}` };
  }
  const scan = scanJson(read.bytes, { maxDepth: 6 });
  if (!scan.ok) return { ok: false, why: scan.message };
  const plain = toPlainJson(scan.value);
  if (!plain.ok) return { ok: false, why: plain.message };
  const parsed = fileSchema.safeParse(plain.value);
  if (!parsed.success) {
    const { place, why } = firstIssue(parsed.error);
    return { ok: false, why: `${place || "top"}: ${why}` };
  }
  const recorded = parsed.data.recorded as RecordedPredictions[];
  for (const [index, set] of recorded.entries()) {
    if (set.sha256 !== setDigest(set)) {
      return {
        ok: false,
        why: `set ${index + 1} was changed after it was recorded`,
      };
    }
    if (
      set.number !== index + 1 ||
      set.supersedes_sha256 !== (recorded[index - 1]?.sha256 ?? null)
    ) {
      return {
        ok: false,
        why: `set ${index + 1} does not follow the one before`,
      };
    }
  }
  return { ok: true, recorded };
}

/**
 * Judges one answer that a user gave.
 *
 * @returns Null where it is one; else why not, as a clause.
 */
export function answerFault(
  { choices }: PredictionQuestion,
  answer: string,
): string | null {
  if (choices !== null && !choices.includes(answer)) {
    const all = choices.map((choice) => `"${choice}"`);
    return `the answer is ${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  }
  if (answer === "") return "there is no answer";
  if (answer.length > MAX_ANSWER_CHARACTERS) {
    return `the answer is longer than ${MAX_ANSWER_CHARACTERS} characters`;
  }
  return answer.isWellFormed() ? null : "the answer is no text";
}

/**
 * Adds a set of predictions; earlier ones are kept. Where that fails, the file is
 * as it was, and nothing lies beside it.
 *
 * @param before What {@link readPredictions} found.
 * @param wallTime ISO 8601 in UTC.
 * @returns The set as recorded.
 * @throws The disk's error.
 */
export function recordPredictions(
  files: Files,
  folder: string,
  before: readonly RecordedPredictions[],
  answers: PredictionAnswers,
  wallTime: string,
): RecordedPredictions {
  const last = before.at(-1);
  const set = {
    number: before.length + 1,
    recorded: wallTime,
    answers: Object.fromEntries(
      PREDICTION_QUESTIONS.map(({ name }) => [name, answers[name]!]),
    ),
    supersedes_sha256: last?.sha256 ?? null,
  };
  const added: RecordedPredictions = { ...set, sha256: setDigest(set) };
  const content = {
    format: "tinycoder/predictions",
    format_version: 1,
    recorded: [...before, added],
  };
  const bytes = new TextEncoder().encode(
    `${JSON.stringify(content, null, 2)}\n`,
  );
  try {
    publish(files, folder, PREDICTIONS_NAME, bytes);
  } catch (error) {
    removeQuietly(files, `${folder}/${PREDICTIONS_NAME}.part`);
    throw error;
  }
  return added;
}

/** SHA-256 over a set's JSON, fields in their fixed order. */
function setDigest(
  set: Pick<
    RecordedPredictions,
    "number" | "recorded" | "answers" | "supersedes_sha256"
  >,
): Sha256 {
  const { number, recorded, answers, supersedes_sha256 } = set;
  return sha256(JSON.stringify([
    number,
    recorded,
    PREDICTION_QUESTIONS.map(({ name }) => answers[name]),
    supersedes_sha256,
  ]));
}
