// Live progress of a model on stderr: one line that is written over where a
// terminal allows it, a line for each stage where not.

import type { ModelProgress } from "../model/model_source.ts";
import { counted } from "../system/counted.ts";
import { showSafely } from "../system/safe_text.ts";
import { cut } from "./text_layout.ts";
import type { Terminal } from "./terminal.ts";

/** Prints a model's progress. */
export function modelProgress(
  terminal: Terminal,
): (progress: ModelProgress) => void {
  let lastStage = "";
  return (progress) => {
    const text = progressText(progress);
    if (terminal.noteIsTerminal) {
      terminal.note(`\r\x1b[K${text}\r`);
      return;
    }
    const stage = `${progress.call} ${progress.stage} ${allVerified(progress)}`;
    if (stage === lastStage) return;
    lastStage = stage;
    terminal.note(`${text}\n`);
  };
}

/** The end of the files' verification is told apart from its beginning. */
function allVerified(progress: ModelProgress): boolean {
  return progress.type === "load_progress" && progress.stage === "verify" &&
    progress.bytes === progress.total_bytes;
}

const COLUMNS = 78;

/** One line of progress, escaped and cut to a terminal's width. */
export function progressText(progress: ModelProgress): string {
  if (progress.type === "load_progress") {
    const { stage, bytes, total_bytes } = progress;
    const share = total_bytes === 0 ? 0 : bytes / total_bytes;
    return stage === "verify"
      ? `           loading: verified ${megabytes(bytes)} of ${
        megabytes(total_bytes)
      } (${Math.floor(share * 100)}%)`
      : `           loading: ${stage}`;
  }
  const { stage, tokens, input_tokens, tokens_per_second, text } = progress;
  // One token, or no time that passed, is nothing that a rate is made of.
  const speed = tokens < 2 || tokens_per_second === 0
    ? ""
    : `, ${tokens_per_second.toFixed(1)} tokens/s`;
  const line = stage === "prefill"
    ? `           reading: ${tokens} of ${
      counted(input_tokens, "token")
    }${speed}`
    : `           writing: ${counted(tokens, "token")}${speed}: ${
      showSafely(text)
    }`;
  return cut(line, COLUMNS);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
