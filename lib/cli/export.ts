// `tinycoder export RUN --format atif`: a run in another tool's format.

import { atifTrajectory } from "../evidence/atif.ts";
import { labTools } from "../lab/lab_tools.ts";
import type { ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import type { Invocation } from "./command.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { printedJson } from "./printed_json.ts";
import { tellBroken } from "./tell_broken.ts";
import type { Terminal } from "./terminal.ts";
import { deliver } from "./written_result.ts";

/** Exports a run; ATIF is the one format so far, and the default. */
export async function exportRun(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = invocation.operands[0] ?? "";
  const view = await openCheckedView(diskFiles, typed);
  const text = madeOfViews(
    [{ view, typed }],
    () => printedJson(atifTrajectory(view, labTools()), 2),
  );
  deliver(diskFiles, text, invocation, terminal);
  return tellBroken([{ view, typed }], terminal);
}
