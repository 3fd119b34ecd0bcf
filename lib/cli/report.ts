// `tinycoder report RUN`: a run as one self-contained HTML page.

import { runReport } from "../evidence/report/run_report.ts";
import type { ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import type { Invocation } from "./command.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { tellBroken } from "./tell_broken.ts";
import type { Terminal } from "./terminal.ts";
import { deliver } from "./written_result.ts";

/** Makes a run's page; exits with 4 where the evidence doesn't fit together. */
export async function report(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = invocation.operands[0] ?? "";
  const view = await openCheckedView(diskFiles, typed);
  const text = madeOfViews(
    [{ view, typed }],
    () => runReport(view, typed, LAB_WORDS),
  );
  deliver(diskFiles, text, invocation, terminal);
  return tellBroken([{ view, typed }], terminal);
}
