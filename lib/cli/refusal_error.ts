// From what the acquisition answers to what a command ends with.

import type { Refusal, RefusalCode } from "../acquire/refusal.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { showSafely } from "../system/safe_text.ts";

/** The error that ends a command with a refusal. */
export function refusalError(refusal: Refusal): CommandError {
  // What was typed, and what a file or a server said, stay on their lines.
  return new CommandError(exitCode(refusal.code), {
    what: showSafely(refusal.what),
    why: showSafely(refusal.why),
    next: showSafely(`${refusal.next}.`),
  });
}

function exitCode(code: RefusalCode): ExitCode {
  switch (code) {
    case "checkpoint_invalid":
    case "destination_refused":
    case "resources_insufficient":
    case "opt_in_refused":
    case "folder_busy":
    case "unexpected_file":
    case "ledger_refused":
    case "window_over":
    case "budget_exhausted":
    case "retry_used":
    case "ended_earlier":
    case "copy_refused":
    case "core_trial_used":
    case "not_verified":
    case "no_ledger":
      return EXIT.refused;
    case "redirect_refused":
    case "metadata_mismatch":
    case "content_mismatch":
      return EXIT.evidence;
    case "server_refused":
    case "network_failed":
      return EXIT.unsuccessful;
    case "disk_failed":
    case "internal":
      return EXIT.harness;
    case "cancelled":
      return EXIT.cancelled;
  }
}

/** An option's text; null where it wasn't given. */
export function optionText(value: string | boolean | undefined): string | null {
  return typeof value === "string" ? value : null;
}
