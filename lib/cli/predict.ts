// `tinycoder predict`: the lab's five predictions, before anything runs.

import {
  answersFault,
  PREDICTION_QUESTIONS,
  type PredictionAnswers,
  PREDICTIONS_NAME,
  readPredictions,
  type RecordedPredictions,
  recordPredictions,
} from "../lab/predictions.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import { threadClock } from "../system/clock.ts";
import { showSafely } from "../system/safe_text.ts";
import type { Invocation } from "./command.ts";
import { optionText } from "./refusal_error.ts";
import type { Terminal } from "./terminal.ts";
import { typedLine } from "./typed_line.ts";

/** Option of each question, as commander names its value. */
const OPTIONS: Readonly<Record<string, string>> = {
  first_attempt_valid: "validJson",
  both_repaired: "bothRepaired",
  fails_first: "failsFirst",
  baseline_passes_anyway: "baselinePasses",
  forbidden_proposal: "forbidden",
};

/** Records predictions, or shows those that there are. */
export function predict(
  { options }: Invocation,
  terminal: Terminal,
): ExitCode {
  const folder = diskFiles.realPath(".");
  const read = readPredictions(diskFiles, folder);
  if (!read.ok) {
    throw refused(
      `its ${PREDICTIONS_NAME} is not one that this program wrote: ${read.why}`,
      "Keep that file elsewhere, and predict again.",
    );
  }
  const given = PREDICTION_QUESTIONS.map(({ name }) =>
    [
      name,
      optionText(options[OPTIONS[name]!]),
    ] as const
  );
  const wanted = given.some(([, answer]) => answer !== null) ||
    (read.recorded.length === 0 && !options["json"]) ||
    options["again"] === true;
  let { recorded } = read;
  if (wanted) {
    const answers = complete(given, terminal);
    const fault = answersFault(answers);
    if (fault !== null) {
      throw new CommandError(EXIT.usage, {
        what: "Cannot record the predictions",
        why: fault,
        next: "See: tinycoder predict --help",
      });
    }
    try {
      const wallTime = threadClock().wallTime();
      recorded = [
        ...recorded,
        recordPredictions(diskFiles, folder, recorded, answers, wallTime),
      ];
    } catch (error) {
      throw refused(
        `the system answered ${errorCode(error)}`,
        "Predict in a folder that you may write.",
        error,
      );
    }
  }
  terminal.out(
    options["json"]
      ? `${JSON.stringify({ recorded })}\n`
      : predictionsText(recorded),
  );
  return EXIT.done;
}

/** Asks for what the options leave open. */
function complete(
  given: readonly (readonly [string, string | null])[],
  terminal: Terminal,
): PredictionAnswers {
  const answers: Record<string, string> = {};
  for (const [name, answer] of given) {
    answers[name] = answer ?? asked(name, terminal);
  }
  return answers;
}

function asked(name: string, terminal: Terminal): string {
  const { question, choices } = PREDICTION_QUESTIONS.find((one) =>
    one.name === name
  )!;
  if (!Deno.stdin.isTerminal()) {
    throw new CommandError(EXIT.usage, {
      what: "Cannot record the predictions",
      why: `"${name}" has no answer, and the input is not a terminal`,
      next: "Answer by options; see: tinycoder predict --help",
    });
  }
  terminal.note(
    `${question}${choices === null ? "" : ` (${choices.join("/")})`} `,
  );
  return typedLine()?.trim() ?? "";
}

function predictionsText(recorded: readonly RecordedPredictions[]): string {
  const last = recorded.at(-1)!;
  const lines = PREDICTION_QUESTIONS.flatMap(({ name, question }, index) => [
    `${index + 1}. ${question}`,
    `   ${showSafely(last.answers[name]!)}`,
  ]);
  return [
    `Predictions, recorded ${last.recorded}:`,
    ...lines,
    "",
    recorded.length === 1
      ? "They stay as they are; a later set is kept beside them."
      : `${recorded.length - 1} earlier ${
        recorded.length === 2 ? "set is" : "sets are"
      } kept in ${PREDICTIONS_NAME}.`,
    "",
  ].join("\n");
}

function refused(why: string, next: string, cause?: unknown): CommandError {
  return new CommandError(EXIT.refused, {
    what: "Cannot keep predictions in the current folder",
    why,
    next,
  }, cause);
}
