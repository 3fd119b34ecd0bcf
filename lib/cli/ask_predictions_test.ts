import assert from "node:assert/strict";
import { PREDICTION_QUESTIONS } from "../lab/predictions.ts";
import { CommandError } from "../system/command_error.ts";
import { askPredictions, PREDICTION_OPTIONS } from "./ask_predictions.ts";
import { COMMANDS } from "./commands.ts";

const GIVEN = {
  first_attempt_valid: "yes",
  both_repaired: "no",
  fails_first: "format",
  baseline_passes_anyway: "yes",
  forbidden_proposal: "It is refused",
};

/** Somebody who types these lines, and then ends the input. */
function typing(...lines: readonly string[]) {
  const left = [...lines];
  const notes: string[] = [];
  return {
    notes,
    note: (text: string) => void notes.push(text),
    line: () => Promise.resolve(left.shift() ?? null),
  };
}

function ends(exitCode: number, message: string) {
  return (error: unknown) => {
    assert(error instanceof CommandError);
    assert.deepEqual([error.exitCode, error.message], [exitCode, message]);
    return true;
  };
}

Deno.test("PREDICTION_OPTIONS are the command's own", () => {
  const { options = [] } = COMMANDS.find(({ name }) => name === "predict")!;
  const flags = options.map((option) => option.flags.split(" ")[0]);
  assert.deepEqual(
    PREDICTION_QUESTIONS.map(({ name }) => PREDICTION_OPTIONS[name]!.flag),
    flags.slice(0, PREDICTION_QUESTIONS.length),
  );
});

Deno.test("askPredictions() asks what is open, and asks again until it is an answer", async () => {
  const person = typing("maybe", " no ", "", "arithmetic");
  const answers = await askPredictions(
    { ...GIVEN, both_repaired: null, fails_first: null },
    person,
  );
  assert.deepEqual(answers, { ...GIVEN, fails_first: "arithmetic" });
  const [, second, third] = PREDICTION_QUESTIONS;
  const prompts = [
    `2. ${second!.question} (yes/no) `,
    `3. ${third!.question} (format/version/arithmetic) `,
  ];
  assert.deepEqual(person.notes, [
    prompts[0],
    '   That is not it: the answer is "yes" or "no".\n',
    prompts[0],
    prompts[1],
    '   That is not it: the answer is "format", "version" or "arithmetic".\n',
    prompts[1],
  ]);
});

Deno.test("askPredictions() ends with the input, at the question that was open", async () => {
  await assert.rejects(
    () =>
      askPredictions(
        { ...GIVEN, both_repaired: null, forbidden_proposal: null },
        typing("no", ""),
      ),
    ends(
      130,
      "Cannot record the predictions: the input ended at question 5.\n" +
        "Nothing was recorded; predict again when you like.",
    ),
  );
});

Deno.test("askPredictions() judges every option before it asks, by the option's name", async () => {
  const person = typing("yes");
  const see = ".\nSee: tinycoder predict --help";
  await assert.rejects(
    () =>
      askPredictions(
        { ...GIVEN, first_attempt_valid: null, fails_first: "luck" },
        person,
      ),
    ends(
      2,
      'Cannot record the predictions: "--fails-first" can\'t be taken: the ' +
        `answer is "format", "version" or "arithmetic"${see}`,
    ),
  );
  assert.deepEqual(person.notes, []);
  await assert.rejects(
    () => askPredictions({ ...GIVEN, both_repaired: null }, null),
    ends(
      2,
      'Cannot record the predictions: "--both-repaired" has no answer, and ' +
        `the input is not a terminal${see}`,
    ),
  );
});
