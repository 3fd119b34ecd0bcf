// The compiled program as a process of its own: as this user or as one without
// any rights, with nothing in its environment but a path.

import * as fs from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../lib/agent/json.ts";
import { type Left, leftBy } from "./launched.ts";

/** Somebody else's user and group id, where this process may take it on. */
export const NOBODY = 65_534;

/** Who runs the program. */
export type User = "this user" | "nobody";

/** Who can be had: only root may become somebody else. */
export const USERS: readonly User[] = Deno.uid() === 0
  ? ["this user", "nobody"]
  : ["this user"];

/** How a program is started. */
export interface Start {
  /** A path, or a name that the PATH has. */
  readonly program: string;
  /** The current folder. */
  readonly cwd: string;
  readonly user: User;
  /** The PATH; a usual one if absent. */
  readonly path?: string;
  /** The folder for temporary files; the system's own if absent. */
  readonly temporary?: string;
}

/** Runs the program to its end, with a text as its input. */
export async function runBinary(
  start: Start,
  args: readonly string[],
  input = "",
): Promise<Left> {
  const child = spawnBinary(start, args);
  const writer = child.stdin.getWriter();
  // It may have ended without reading.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  return await leftBy(child);
}

/**
 * Runs the program with a proposer that offers these proposals in turn.
 *
 * @returns What it left, and every message that it said.
 */
export async function converse(
  start: Start,
  args: readonly string[],
  proposals: readonly string[],
): Promise<Left & { readonly messages: readonly JsonObject[] }> {
  const child = spawnBinary(start, args);
  const writer = child.stdin.getWriter();
  const err = new Response(child.stderr).text();
  const messages: JsonObject[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: JsonObject = JSON.parse(line);
      messages.push(message);
      const { type, proposal_number } = message;
      if (type !== "request") continue;
      const proposal = proposals[Number(proposal_number) - 1] ?? "{}";
      const answer = JSON.stringify({ proposal_number, proposal });
      await writer.write(new TextEncoder().encode(`${answer}\n`));
    }
  }
  const { code } = await child.status;
  await writer.close().catch(() => {});
  return { code, out: rest, err: await err, messages };
}

function spawnBinary(
  { program, cwd, user, path = "/usr/bin:/bin", temporary }: Start,
  args: readonly string[],
): Deno.ChildProcess {
  // `env` finds the program on the PATH, as a shell would.
  const environment = [
    "env",
    `PATH=${path}`,
    ...(temporary === undefined ? [] : [`TMPDIR=${temporary}`]),
  ];
  const asUser = user === "nobody"
    ? [
      "setpriv",
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      "--clear-groups",
      ...environment,
    ]
    : environment;
  const [first = "", ...rest] = [...asUser, program, ...args];
  return new Deno.Command(first, {
    args: rest,
    cwd,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** A folder in which this user may work; `using` removes it. */
export function workingFolder(
  user: User,
): Disposable & { readonly path: string } {
  const path = Deno.realPathSync(
    Deno.makeTempDirSync({ prefix: "tinycoder-test-" }),
  );
  if (user === "nobody") Deno.chownSync(path, NOBODY, NOBODY);
  return {
    path,
    [Symbol.dispose]: () => fs.rmSync(path, { recursive: true, force: true }),
  };
}

/** The words of a trial with the small checkpoint in the folder `tiny`. */
export const TINY_TRIAL = [
  "--run",
  "trial",
  "--model-directory",
  "tiny",
  "--checkpoint",
  "tiny.json",
  "--extension",
  "a test",
  "--yes",
] as const;

/** Puts the small checkpoint where {@link TINY_TRIAL} expects it. */
export function copyTinyModel(folder: string): void {
  const { uid, gid } = fs.statSync(folder);
  fs.cpSync(TINY_FOLDER, `${folder}/tiny`, { recursive: true });
  fs.cpSync(`${TINY_FOLDER}.json`, `${folder}/tiny.json`);
  for (const name of ["tiny", "tiny.json"]) {
    fs.chownSync(`${folder}/${name}`, uid, gid);
  }
}

const TINY_FOLDER = fileURLToPath(
  new URL("../fixtures/checkpoint/tiny-qwen2", import.meta.url),
);
