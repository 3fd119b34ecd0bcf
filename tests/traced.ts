// A program under strace: which files it opens and changes, which sockets and
// processes it makes. What is asserted comes from the system's side.

import assert from "node:assert/strict";
import * as fs from "node:fs";

/** What a traced program asked the system for; each list sorted, without twins. */
export interface Trace {
  /** Paths opened for reading, or tried. */
  readonly opened: readonly string[];
  /** Paths created, written, renamed, removed or otherwise changed, or tried. */
  readonly changed: readonly string[];
  /** Families of the sockets made, such as `AF_INET`; pairs aren't among them. */
  readonly sockets: readonly string[];
  /** Programs executed, the first one included. */
  readonly executed: readonly string[];
  /** Processes made, threads not counted. */
  readonly forks: number;
}

/** A traced program. */
export interface Traced {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a program under strace to its end, which must be a success. */
export async function traced(
  { program, args, cwd, env }: Traced,
): Promise<Trace> {
  const log = Deno.makeTempFileSync({ prefix: "tinycoder-trace-" });
  try {
    const { code, stdout, stderr } = await new Deno.Command("strace", {
      args: [
        "--follow-forks",
        "--quiet=all",
        "--decode-fds=path",
        "--string-limit=4096",
        "--trace=%network,%process,%file",
        `--output=${log}`,
        program,
        ...args,
      ],
      cwd,
      clearEnv: true,
      env: { ...env },
    }).output();
    const said = new TextDecoder();
    assert.equal(code, 0, said.decode(stdout) + said.decode(stderr));
    return readTrace(fs.readFileSync(log, "utf8"), cwd);
  } finally {
    Deno.removeSync(log);
  }
}

/** Calls that change what their paths name. */
const CHANGES =
  /^(creat|mkdir|mknod|rename|unlink|rmdir|link|symlink|truncate|chmod|fchmodat|chown|lchown|fchownat|utime|futimesat|setxattr|removexattr)/;

const WRITES = /\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/;

/** A path, with the open folder that it counts from, where strace names one. */
const PATHS = /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g;

/** Reads strace's lines: a call is whole, or its arguments stand in its first half. */
function readTrace(text: string, cwd: string): Trace {
  const opened = new Set<string>();
  const changed = new Set<string>();
  const sockets = new Set<string>();
  const executed: string[] = [];
  let forks = 0;
  for (const line of text.split("\n")) {
    const call = line.match(/^\d+ +([a-z0-9_]+)\((.*)$/);
    if (call === null) continue;
    const [, name = "", rest = ""] = call;
    const paths = [...rest.matchAll(PATHS)].map(([, from = cwd, path = ""]) =>
      path.startsWith("/") ? path : `${from}/${path}`
    );
    if (/^open(at2?)?$/.test(name)) {
      (WRITES.test(rest) ? changed : opened).add(paths[0] ?? "");
    } else if (CHANGES.test(name)) {
      for (const path of paths) changed.add(path);
    } else if (name === "socket") {
      sockets.add(rest.slice(0, rest.indexOf(",")));
    } else if (name.startsWith("execve")) {
      executed.push(paths[0] ?? "");
    } else if (/^(v?fork|clone3?)$/.test(name)) {
      if (!rest.includes("CLONE_THREAD")) forks++;
    }
  }
  const sorted = (set: Set<string>) => [...set].sort();
  return {
    opened: sorted(opened),
    changed: sorted(changed),
    sockets: sorted(sockets),
    executed,
    forks,
  };
}
