import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import {
  answerFault,
  MAX_ANSWER_CHARACTERS,
  MAX_PREDICTION_SETS,
  PREDICTION_QUESTIONS,
  type PredictionAnswers,
  type PredictionQuestion,
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
      (sets) => sets[2].answers.both_repaired = "yes",
      (sets) => delete sets[2].sha256,
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

Deno.test("readPredictions() takes the most sets of the longest answers, as recorded", async () => {
  await inFolder((folder) => {
    const long = "\u0001".repeat(MAX_ANSWER_CHARACTERS);
    const answers = { ...ANSWERS, forbidden_proposal: long };
    const quick = {
      ...diskFiles,
      create: (path: string) => ({
        ...diskFiles.create(path),
        sync: () => {},
      }),
      syncFolder: () => {},
    };
    let sets: readonly RecordedPredictions[] = [];
    while (sets.length < MAX_PREDICTION_SETS) {
      sets = [...sets, recordPredictions(quick, folder, sets, answers, WALL)];
    }
    assert.equal(recorded(folder).length, MAX_PREDICTION_SETS);
  });
});

Deno.test("recordPredictions() leaves the file as it was where the disk fails", async () => {
  await inFolder((folder) => {
    const path = `${folder}/${PREDICTIONS_NAME}`;
    recordPredictions(diskFiles, folder, [], ANSWERS, WALL);
    const before = Deno.readTextFileSync(path);
    const fail = () => {
      throw new Error("full");
    };
    for (
      const files of [
        { ...diskFiles, rename: fail },
        {
          ...diskFiles,
          create: (name: string) => ({
            ...diskFiles.create(name),
            write: fail,
          }),
        },
      ]
    ) {
      assert.throws(
        () => recordPredictions(files, folder, recorded(folder), ANSWERS, WALL),
        /full/,
      );
      assert.deepEqual(
        [...Deno.readDirSync(folder)].map(({ name }) => name),
        [PREDICTIONS_NAME],
      );
      assert.equal(Deno.readTextFileSync(path), before);
    }
  });
});

Deno.test("answerFault() takes exactly the answers that each question has", () => {
  for (const question of PREDICTION_QUESTIONS) {
    assert.equal(answerFault(question, ANSWERS[question.name]!), null);
    assert.notEqual(answerFault(question, ""), null);
  }
  const [yesOrNo, , kind, , words] = PREDICTION_QUESTIONS as [
    PredictionQuestion,
    PredictionQuestion,
    PredictionQuestion,
    PredictionQuestion,
    PredictionQuestion,
  ];
  assert.equal(answerFault(yesOrNo, "Yes"), 'the answer is "yes" or "no"');
  assert.equal(
    answerFault(kind, "yes"),
    'the answer is "format", "version" or "arithmetic"',
  );
  const long = "x".repeat(MAX_ANSWER_CHARACTERS);
  assert.equal(answerFault(words, long), null);
  assert.equal(
    answerFault(words, `${long}x`),
    "the answer is longer than 1000 characters",
  );
  assert.equal(answerFault(words, "\ud800"), "the answer is no text");
});
