// The real program: `tasks/tinycoder` as a process of its own, with the flags it
// always has, in a folder outside any repository.

import assert from "node:assert/strict";

/** Path of the launcher. */
export const LAUNCHER: string = new URL("../tasks/tinycoder", import.meta.url)
  .pathname;

/** Starts a program among mounts of its own, which it may change. */
export const OWN_MOUNTS: readonly string[] = Deno.uid() === 0
  ? ["unshare", "-m"]
  : ["unshare", "-Urm"];

const decoder = new TextDecoder();

/** What a process left: its exit code and both streams as text. */
export interface Left {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A launched program's options: a wrapper program and streams of its own. */
export interface Wrapping {
  /** A program and its arguments that starts the launcher, such as setpriv. */
  readonly within?: readonly string[];
  readonly stdin?: "null" | "piped";
  readonly stdout?: "null" | "piped" | "inherit";
}

/** Environment of every child: no home, no colours, no native backtrace. */
function environment(): Record<string, string> {
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  return {
    PATH: `${deno}:${Deno.env.get("PATH")}`,
    RUST_BACKTRACE: "0",
    NO_COLOR: "1",
    ...(Deno.env.has("DENO_DIR")
      ? { DENO_DIR: Deno.env.get("DENO_DIR") as string }
      : { HOME: Deno.env.get("HOME") ?? "/" }),
  };
}

/** Starts the program in a folder and doesn't wait for it. */
export function launch(
  cwd: string,
  args: readonly string[],
  { within = [], stdin = "null", stdout = "piped" }: Wrapping = {},
): Deno.ChildProcess {
  const [program = LAUNCHER, ...rest] = [...within, LAUNCHER, ...args];
  return new Deno.Command(program, {
    args: rest,
    cwd,
    clearEnv: true,
    env: environment(),
    stdin,
    stdout,
    stderr: "piped",
  }).spawn();
}

/** Runs the program in a folder to its end. */
export async function tinycoder(
  cwd: string,
  args: readonly string[],
  wrapping: Wrapping = {},
): Promise<Left> {
  return await leftBy(launch(cwd, args, wrapping));
}

/** Waits for a program, and takes what it left. */
export async function leftBy(child: Deno.ChildProcess): Promise<Left> {
  const { code, stdout, stderr } = await child.output();
  return {
    code,
    out: decoder.decode(stdout),
    err: decoder.decode(stderr),
  };
}

/**
 * Asserts one clear error: code, at most three lines, neither a stack trace nor
 * a path of this machine.
 *
 * @param says Parts of the message, in order.
 */
export function assertOneError(
  { code, out, err }: Left,
  expected: number,
  ...says: readonly string[]
): void {
  assert.equal(code, expected, err);
  assert.equal(out, "");
  const lines = err.split("\n").slice(0, -1);
  assert.ok(lines.length >= 2 && lines.length <= 3, err);
  assert.doesNotMatch(err, /^\s+at |file:\/\/|Error:|backtrace|panicked/m);
  let from = 0;
  for (const part of says) {
    const at = err.indexOf(part, from);
    assert.notEqual(at, -1, `"${part}" isn't in: ${err}`);
    from = at + part.length;
  }
}
