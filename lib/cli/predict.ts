// `tinycoder predict`: the lab's five predictions, before anything runs.

import {
  MAX_PREDICTION_SETS,
  PREDICTION_QUESTIONS,
  PREDICTIONS_NAME,
  readPredictions,
  type RecordedPredictions,
  recordPredictions,
} from "../lab/predictions.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { threadClock } from "../system/clock.ts";
import { showSafely } from "../system/safe_text.ts";
import { type SystemWords, systemWords } from "../system/system_words.ts";
import { askPredictions, PREDICTION_OPTIONS } from "./ask_predictions.ts";
import type { Invocation } from "./command.ts";
import { optionText } from "./refusal_error.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import { typedLine } from "./typed_line.ts";
import { placeFault } from "./writable_folder.ts";

/** Records predictions, or shows those that there are. */
export async function predict(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const before = earlier();
  const given = Object.fromEntries(
    PREDICTION_QUESTIONS.map(({ name }) => [
      name,
      optionText(options[PREDICTION_OPTIONS[name]!.value]),
    ]),
  );
  const again = options["again"] === true;
  const answered = Object.values(given).some((answer) => answer !== null);
  if (before.length > 0 && answered && !again) {
    throw new CommandError(EXIT.refused, {
      what: "Cannot record the predictions",
      why: `there is a set already, recorded ${before.at(-1)!.recorded}`,
      next: "Add --again to record a set that supersedes it; both are kept.",
    });
  }
  if (!again && !answered && (before.length > 0 || options["json"])) {
    terminal.out(
      options["json"]
        ? `${JSON.stringify({ recorded: before })}\n`
        : predictionsText(before, false),
    );
    return EXIT.done;
  }
  const fault = placeFault(diskFiles);
  if (fault !== null) throw unkept(fault);
  if (before.length >= MAX_PREDICTION_SETS) {
    throw unkept({
      why: `its ${PREDICTIONS_NAME} holds ${before.length} sets, and no more`,
      next: "Predict in another folder.",
    });
  }
  const answers = await askPredictions(
    given,
    Deno.stdin.isTerminal()
      ? { note: terminal.note, line: () => typedLine(UNANSWERED, terminal) }
      : null,
  );
  const recorded = [...before, added(before, answers)];
  const { number } = recorded.at(-1)!;
  tellDone(
    terminal,
    options["json"]
      ? `${JSON.stringify({ recorded })}\n`
      : predictionsText(recorded, true),
    `The predictions are recorded, as set ${number} in ${PREDICTIONS_NAME}.`,
  );
  return EXIT.done;
}

/** What a signal says at a question. */
const UNANSWERED = {
  what: "Cannot record the predictions",
  next: "No answer was recorded.",
};

/** The sets that there are. */
function earlier(): readonly RecordedPredictions[] {
  let read: ReturnType<typeof readPredictions>;
  try {
    read = readPredictions(diskFiles, diskFiles.realPath("."));
  } catch (error) {
    throw unkept(systemWords(error), error);
  }
  if (read.ok) return read.recorded;
  throw unkept({
    why: `its ${PREDICTIONS_NAME} is not as this program wrote it: ${read.why}`,
    next: "Keep that file elsewhere, and predict again.",
  });
}

function added(
  before: readonly RecordedPredictions[],
  answers: RecordedPredictions["answers"],
): RecordedPredictions {
  try {
    const folder = diskFiles.realPath(".");
    const wallTime = threadClock().wallTime();
    return recordPredictions(diskFiles, folder, before, answers, wallTime);
  } catch (error) {
    throw unkept(systemWords(error), error);
  }
}

function predictionsText(
  recorded: readonly RecordedPredictions[],
  isNew: boolean,
): string {
  const last = recorded.at(-1)!;
  const lines = PREDICTION_QUESTIONS.flatMap(({ name, question }, index) => [
    `${index + 1}. ${question}`,
    `   ${showSafely(last.answers[name]!)}`,
  ]);
  const others = last.number - 1;
  return [
    isNew
      ? `Recorded now, ${last.recorded}, in ${PREDICTIONS_NAME}:`
      : `Recorded earlier, ${last.recorded}; nothing is new:`,
    ...lines,
    "",
    ...(others === 0 ? [] : [
      `This is set ${last.number}; ${
        others === 1 ? "the earlier one is" : `the ${others} earlier ones are`
      } kept beside it.`,
    ]),
    "It stays as it is; --again records a set that supersedes it, and keeps both.",
    "",
  ].join("\n");
}

function unkept({ why, next }: SystemWords, cause?: unknown): CommandError {
  return new CommandError(EXIT.refused, {
    what: "Cannot keep predictions in the current folder",
    why,
    next,
  }, cause);
}
