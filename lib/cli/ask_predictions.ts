// Asks for predictions that the options leave open: each answer is judged when it
// is typed, and nothing is kept until all five are there.

import {
  answerFault,
  PREDICTION_QUESTIONS,
  type PredictionAnswers,
  type PredictionQuestion,
} from "../lab/predictions.ts";
import { CommandError, EXIT } from "../system/command_error.ts";

/** Option of each question, as it is typed and as commander names its value. */
export const PREDICTION_OPTIONS: Readonly<
  Record<string, { readonly flag: string; readonly value: string }>
> = {
  first_attempt_valid: { flag: "--valid-json", value: "validJson" },
  both_repaired: { flag: "--both-repaired", value: "bothRepaired" },
  fails_first: { flag: "--fails-first", value: "failsFirst" },
  baseline_passes_anyway: {
    flag: "--baseline-passes",
    value: "baselinePasses",
  },
  forbidden_proposal: { flag: "--forbidden", value: "forbidden" },
};

/** Where answers come from. */
export interface Asked {
  /** Says something to whoever answers. */
  readonly note: (text: string) => void;
  /** One typed line; null at the input's end. */
  readonly line: () => Promise<string | null>;
}

/**
 * Completes answers.
 *
 * @param given Answers by option; null where an option was not given. All of them
 *   are judged before anything is asked.
 * @param asked Null where nobody can be asked.
 * @throws {CommandError} where an option's answer is none, one is missing and
 *   nobody can be asked, or the input ends.
 */
export async function askPredictions(
  given: Readonly<Record<string, string | null>>,
  asked: Asked | null,
): Promise<PredictionAnswers> {
  for (const question of PREDICTION_QUESTIONS) {
    const answer = given[question.name] ?? null;
    const { flag } = PREDICTION_OPTIONS[question.name]!;
    const fault = answer === null
      ? asked === null
        ? `"${flag}" has no answer, and the input is not a terminal`
        : null
      : prefixed(
        `"${flag}" can't be taken: `,
        answerFault(
          question,
          answer,
        ),
      );
    if (fault !== null) throw refusal(fault);
  }
  const answers: Record<string, string> = {};
  for (const [index, question] of PREDICTION_QUESTIONS.entries()) {
    const { name } = question;
    answers[name] = given[name] ?? await answered(question, index + 1, asked!);
  }
  return answers;
}

/** Asks one question until its answer is one. */
async function answered(
  question: PredictionQuestion,
  number: number,
  asked: Asked,
): Promise<string> {
  const { choices } = question;
  while (true) {
    asked.note(
      `${number}. ${question.question}${
        choices === null ? "" : ` (${choices.join("/")})`
      } `,
    );
    const line = await asked.line();
    if (line === null) {
      asked.note("\n");
      throw ended(number);
    }
    const fault = answerFault(question, line.trim());
    if (fault === null) return line.trim();
    asked.note(`   That is not it: ${fault}.\n`);
  }
}

function prefixed(prefix: string, fault: string | null): string | null {
  return fault === null ? null : prefix + fault;
}

function refusal(why: string): CommandError {
  return new CommandError(EXIT.usage, {
    what: "Cannot record the predictions",
    why,
    next: "See: tinycoder predict --help",
  });
}

function ended(number: number): CommandError {
  return new CommandError(EXIT.cancelled, {
    what: "Cannot record the predictions",
    why: `the input ended at question ${number}`,
    next: "Nothing was recorded; predict again when you like.",
  });
}
