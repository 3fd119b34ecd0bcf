import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import {
  answersFault,
  MAX_ANSWER_CHARACTERS,
  PREDICTION_QUESTIONS,
  type PredictionAnswers,
  PREDICTIONS_NAME,
  readPredictions,
  type RecordedPredictions,
  recordPredictions,
} from "./predictions.ts";

const ANSWERS: PredictionAnswers = {
  first_attempt_valid: "yes",
  both_repaired: "no",
  fails_first: "version",
  baseline_passes_anyway: "yes",
  forbidden_proposal: "It is denied, and counts as an invalid proposal.",
};
const WALL = "2026-01-02T03:04:05.678Z";

async function inFolder(work: (folder: string) => void): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function recorded(folder: string): readonly RecordedPredictions[] {
  const read = readPredictions(diskFiles, folder);
  assert.ok(read.ok, read.ok ? "" : read.why);
  return read.recorded;
}

Deno.test("PREDICTION_QUESTIONS are the lab's five", () => {
  assert.deepEqual(
    PREDICTION_QUESTIONS.map(({ name }) => name),
    Object.keys(ANSWERS),
  );
});

Deno.test("recordPredictions() keeps every set, each tied to the one before", async () => {
  await inFolder((folder) => {
    assert.deepEqual(recorded(folder), []);
    recordPredictions(diskFiles, folder, [], ANSWERS, WALL);
    const changed = { ...ANSWERS, both_repaired: "yes" };
    recordPredictions(diskFiles, folder, recorded(folder), changed, WALL);
    const sets = recorded(folder);
    assert.deepEqual(
      sets.map(({ number, answers }) => [number, { ...answers }]),
      [
        [1, ANSWERS],
        [2, changed],
      ],
    );
    assert.equal(sets[0]!.supersedes_sha256, null);
    assert.match(sets[1]!.supersedes_sha256!, /^[0-9a-f]{64}$/);
  });
});

Deno.test("readPredictions() notices a set that was changed, dropped or moved", async () => {
  await inFolder((folder) => {
    const path = `${folder}/${PREDICTIONS_NAME}`;
    for (let count = 0; count < 3; count++) {
      recordPredictions(diskFiles, folder, recorded(folder), ANSWERS, WALL);
    }
    const good = Deno.readTextFileSync(path);
    // deno-lint-ignore no-explicit-any -- an editor isn't bound by types.
    const edits: ((sets: any[]) => void)[] = [
      (sets) => sets[0].answers.both_repaired = "yes",
      (sets) => sets[1].recorded = "2026-01-02T03:04:05.679Z",
      (sets) => sets.splice(1, 1),
      (sets) => sets.shift(),
      (sets) => sets.reverse(),
      (sets) => sets[0].answers.extra = "x",
      (sets) => sets[2].answers.both_repaired = "maybe",
      (sets) => sets.length = 0,
    ];
    for (const edit of edits) {
      const content = JSON.parse(good);
      edit(content.recorded);
      Deno.writeTextFileSync(path, JSON.stringify(content));
      assert.ok(!readPredictions(diskFiles, folder).ok, edit.toString());
    }
    Deno.writeTextFileSync(path, good.slice(1));
    assert.ok(!readPredictions(diskFiles, folder).ok);
  });
});

Deno.test("answersFault() takes exactly the answers that each question has", () => {
  assert.equal(answersFault(ANSWERS), null);
  for (const name of Object.keys(ANSWERS)) {
    assert.match(answersFault({ ...ANSWERS, [name]: "" })!, /has no answer/);
  }
  assert.match(
    answersFault({ ...ANSWERS, both_repaired: "Yes" })!,
    /"both_repaired" is answered by yes, no/,
  );
  const long = "x".repeat(MAX_ANSWER_CHARACTERS);
  assert.equal(answersFault({ ...ANSWERS, forbidden_proposal: long }), null);
  assert.match(
    answersFault({ ...ANSWERS, forbidden_proposal: `${long}x` })!,
    /longer than/,
  );
  assert.match(
    answersFault({ ...ANSWERS, forbidden_proposal: "\ud800" })!,
    /no text/,
  );
});
