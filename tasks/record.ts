// A recording of the program, made by running it: what stands in the README is
// what a reader will see. Only what differs from run to run is masked.

import { row } from "../lib/cli/run_summary.ts";
import { ROOT_PATH } from "./build/files.ts";

/** What is typed in the recording, one after another in the same folder. */
const SESSION: readonly string[] = [
  "tinycoder --run baseline --quiet",
  "tinycoder show baseline",
  "tinycoder verify baseline",
];

/**
 * Runs the session in a fresh folder, and gives what was typed and answered.
 *
 * @returns The same text for the same program, on any machine.
 * @throws {Error} if a command fails.
 */
export function recording(): string {
  const folder = Deno.makeTempDirSync({ prefix: "tinycoder-record-" });
  try {
    return SESSION.map((line) =>
      `$ ${line}\n${normalised(answer(line, folder))}`
    )
      .join("\n");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Both streams of a command, as they come on a terminal. */
function answer(line: string, folder: string): string {
  const [, ...args] = line.split(" ");
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const { code, stdout } = new Deno.Command("sh", {
    args: ["-c", 'exec "$@" 2>&1', "sh", `${ROOT_PATH}tasks/tinycoder`].concat(
      args,
    ),
    cwd: folder,
    env: {
      PATH: `${deno}:${Deno.env.get("PATH")}`,
      NO_COLOR: "1",
      RUST_BACKTRACE: "0",
    },
    stdin: "null",
  }).outputSync();
  const text = new TextDecoder().decode(stdout);
  if (code !== 0) throw new Error(`"${line}" ended with ${code}: ${text}`);
  return text;
}

const RUN_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const DIGEST = /\b[0-9a-f]{16,}\b/g;
const MOMENT = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
const DURATION = /\d[\d.,]* (ms|s)\b/g;
/** The row of times, whose length breaks it into lines. */
const TIMES = /^ {2}Time .*(\n {20}.*)*/gm;

/**
 * A command's output with `·` in place of times, names made at random, digests
 * over them, and the machine.
 */
export function normalised(text: string): string {
  return text
    .replace(RUN_ID, masked)
    .replace(DIGEST, masked)
    .replace(MOMENT, masked)
    .replace(
      `${Deno.build.os}, ${Deno.build.arch}`,
      "·, ·",
    )
    .replace(TIMES, (lines) =>
      row(
        "Time",
        lines.slice("  Time".length).split(/,\s+/).map((piece) =>
          piece.trim().replace(DURATION, "· ms")
        ),
      ))
    .replace(DURATION, (time) => "· ms".padStart(time.length));
}

function masked(text: string): string {
  return text.replace(/[0-9a-f]/g, "·");
}
