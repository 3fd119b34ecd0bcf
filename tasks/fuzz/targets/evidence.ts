// A whole run's verification. An input is a list of edits to the evidence of a
// baseline that is conducted when the fuzzing begins: a raw one cuts bytes out
// of a file and puts others in, and nothing but the very same bytes may hold; a
// forged one changes a record and chains all of them anew, so that what comes
// after the digests is reached.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { chainAnew, linesOf, parsed } from "../../../lib/cli/forgery.ts";
import { verificationText, verifyFolder } from "../../../lib/cli/verify.ts";
import type { JsonObject } from "../../../lib/agent/json.ts";
import { verificationJson } from "../../../lib/evidence/verify_report.ts";
import {
  conductBaseline,
  freshFolder,
  unflushedFiles,
} from "../../../tests/baseline_in_process.ts";
import { Random } from "../../../tests/expression_generator.ts";
import {
  MEMORY_FOLDER,
  memoryFiles,
  readRunFiles,
  type RunFiles,
} from "../../../tests/memory_files.ts";
import { assertMessage, shapeOf } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";

type Edit =
  | {
    readonly file: string;
    readonly at: number;
    readonly cut: number;
    readonly text: string;
  }
  | { readonly line: number; readonly seed: number };

/** Fuzzes the verification of a run. */
export async function evidenceTarget(
  verify = verifyFolder,
): Promise<FuzzTarget> {
  using folder = freshFolder();
  await conductBaseline(unflushedFiles, folder.path);
  const run: RunFiles = readRunFiles(folder.path);
  return {
    name: "evidence",
    maxBytes: 4_096,
    words: [
      ...JSON_WORDS,
      ...run.keys(),
      ..."file at cut text line seed".split(" "),
    ],
    generate: (random) => bytesOf(JSON.stringify(writeEdits(random, run))),
    mutate: mutateJson,
    judge: (input) => judge(input, run, verify),
  };
}

async function judge(
  input: Uint8Array,
  run: RunFiles,
  verify: typeof verifyFolder,
): Promise<string> {
  const edits = readEdits(input);
  if (edits === null) return "no edits";
  const edited = applied(run, edits);
  if (edited === null) return "no run";
  const look = () => verify(memoryFiles(edited), MEMORY_FOLDER, "the run");
  const found = await look();
  assert.deepEqual(verificationJson(await look()), verificationJson(found));
  assert.equal(found.holds, found.discrepancy === null);
  for (const line of verificationText(found, false).trimEnd().split("\n")) {
    if (line !== "") assertMessage(line, 4_096);
  }
  const isSame = isDeepStrictEqual(
    [...edited].map(([name, bytes]) => [name, textOf(bytes)]),
    [...run].map(([name, bytes]) => [name, textOf(bytes)]),
  );
  if (isSame) assert.ok(found.holds, "the run itself doesn't hold");
  const forged = edits.some((edit) => "line" in edit);
  if (!isSame && !forged) assert.ok(!found.holds, "an edited run holds");
  return `${forged} ${found.discrepancy?.check} ${found.discrepancy?.file} ${
    shapeOf(found.discrepancy?.message ?? "")
  }`;
}

function writeEdits(random: Random, run: RunFiles): Edit[] {
  if (random.chance(40)) {
    return [{ line: random.below(34), seed: random.below(1_000_000) }];
  }
  return Array.from({ length: 1 + random.below(2) }, () => {
    const file = random.pick([...run.keys()]);
    return {
      file,
      at: random.below(run.get(file)!.length + 1),
      cut: random.pick([0, 1, 1, 2, 40, 5_000]),
      text: random.pick(["", ...JSON_WORDS, "0", "a", "\n"]),
    };
  });
}

function readEdits(input: Uint8Array): readonly Edit[] | null {
  try {
    const value = JSON.parse(textOf(input));
    return Array.isArray(value) && value.length <= 8 && value.every(isEdit)
      ? value
      : null;
  } catch {
    return null;
  }
}

function isEdit(value: unknown): value is Edit {
  if (typeof value !== "object" || value === null) return false;
  const { file, at, cut, text, line, seed } = value as Record<string, unknown>;
  const count = (one: unknown) => Number.isSafeInteger(one) && Number(one) >= 0;
  return typeof file === "string" && typeof text === "string" && count(at) &&
      count(cut) || count(line) && count(seed);
}

/** The edited run; null where an edit fits none of its files. */
function applied(run: RunFiles, edits: readonly Edit[]): RunFiles | null {
  let files: RunFiles = run;
  for (const edit of edits) {
    const next = "line" in edit ? forged(files, edit) : cutAndPut(files, edit);
    if (next === null) return null;
    files = next;
  }
  return files;
}

function cutAndPut(
  files: RunFiles,
  { file, at, cut, text }: Exclude<Edit, { line: number }>,
): RunFiles | null {
  const bytes = files.get(file);
  if (bytes === undefined) return null;
  const piece = bytesOf(text);
  const head = bytes.subarray(0, at);
  const tail = bytes.subarray(Math.min(bytes.length, at + cut));
  return new Map(files).set(file, Uint8Array.of(...head, ...piece, ...tail));
}

function forged(
  files: RunFiles,
  { line, seed }: Exclude<Edit, { file: string }>,
): RunFiles | null {
  try {
    const audit = parsed(linesOf(files.get("audit.jsonl")!).lines);
    const manifest: JsonObject = JSON.parse(
      textOf(files.get("manifest.json")!),
    );
    const random = new Random(seed);
    const changed = (value: JsonObject): JsonObject =>
      JSON.parse(textOf(mutateJson(bytesOf(JSON.stringify(value)), random)));
    // One line more than there are stands for the manifest.
    return line < audit.length
      ? chainAnew(files, { audit: audit.with(line, changed(audit[line]!)) })
      : chainAnew(files, { manifest: changed(manifest) });
  } catch {
    // An earlier edit left no records to chain.
    return null;
  }
}
