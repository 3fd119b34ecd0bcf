// The lab's words as evidence asks for them. Apart from the view, since a run
// needs no more than these for its last lines.

import type { TaskWords } from "../evidence/task_words.ts";
import {
  actionWords,
  caseLines,
  detailWords,
  editOf,
  evaluationWords,
  eventWords,
  LAB_TITLE,
  scoreLines,
  successWords,
  versionOf,
} from "../lab/lab_words.ts";

/** The lab's words, as evidence asks for them. */
export const LAB_WORDS: TaskWords = {
  title: LAB_TITLE,
  action: actionWords,
  success: successWords,
  version: versionOf,
  edit: editOf,
  cases: caseLines,
  scores: scoreLines,
  stopDetail: detailWords,
  evaluation: evaluationWords,
  event: ({ event, content }) => eventWords(event, content),
};
