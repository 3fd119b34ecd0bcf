// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task walk`: does what the README says, in the order it says it, as a
// newcomer would: a copy of the checkout without anything installed, a fresh
// home, an empty npm cache, and Node, npm and the system's basic programs alone
// on the PATH. As root the newcomer is a user without any rights. Takes minutes,
// and the network for the packages.

import * as fs from "node:fs";
import { ROOT_PATH } from "./build/files.ts";
import { readmeCommands } from "./readme_commands.ts";

const NOBODY = 65_534;

/** Programs that a newcomer has: Node's, and coreutils with a shell. */
const PROGRAMS = [
  ...["node", "npm", "npx", "sh"],
  ...["cat", "cp", "dirname", "env", "gunzip", "gzip", "ls", "mkdir"],
  ...["readlink", "uname"],
];

/** How this machine reaches the network: certificates, proxies, a registry. */
const NETWORK =
  /^(SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|DENO_(CERT|TLS_CA_STORE)|(HTTPS?|NO)_PROXY|NPM_CONFIG_REGISTRY)=/i;

/** Commands that aren't typed as they stand, and why. */
const NOT_TYPED: Readonly<Record<string, string>> = {
  "npx --yes deno@2.9.4 task test": "it is what the tests themselves run by",
  "npx --yes deno@2.9.4 task build":
    "it needs Deno's own download of a runtime; the tests build from another",
  "tinycoder acquire --directory qwen":
    "it brings a gigabyte; the tests do it from a hub of their own",
};

/** What is typed instead of a command that needs what wasn't acquired. */
const STAND_INS: Readonly<Record<string, string>> = {
  "tinycoder --run trial --model-directory qwen":
    "tinycoder --run trial --model-directory tiny --checkpoint tiny.json " +
    '--extension "a walk"',
};

/** The trial of the network that comes with the checkout. */
const PLAYED =
  "tinycoder --run played --model-directory player --checkpoint player.json " +
  '--extension "it plays by heart"';

/** What a newcomer answers where a command asks. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "tinycoder predict": ["yes", "no", "format", "yes", "It is refused"],
  [STAND_INS["tinycoder --run trial --model-directory qwen"] ?? ""]: ["yes"],
  [PLAYED]: ["yes"],
};

/** Runs what follows the answers on a terminal, and types them. */
const ON_A_TERMINAL = `
import json, os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
os.write(terminal, "".join(line + "\\n" for line in json.loads(sys.argv[1])).encode())
while True:
    try:
        said = os.read(terminal, 65536)
    except OSError:
        break
    if not said:
        break
    os.write(1, said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
`;

/** A newcomer's machine, as far as it is a folder. */
interface Machine {
  readonly checkout: string;
  readonly home: string;
  readonly programs: string;
}

const folder = Deno.makeTempDirSync({ prefix: "tinycoder-walk-" });
try {
  Deno.chmodSync(folder, 0o755);
  const machine = prepare(folder);
  let cwd = machine.checkout;
  const readme = Deno.readTextFileSync(`${machine.checkout}/README.md`);
  for (const line of readmeCommands(readme)) {
    const why = NOT_TYPED[line];
    if (why !== undefined) {
      console.log(`- ${line}\n    not typed: ${why}`);
      continue;
    }
    const typed = STAND_INS[line] ?? line;
    if (typed !== line) {
      console.log(`- ${line}\n    with the small checkpoint in its place:`);
      copyTinyModel(cwd);
    }
    cwd = type(machine, cwd, typed);
  }
  console.log("Every command did what the README says.");
} finally {
  Deno.removeSync(folder, { recursive: true });
}

/** Makes the folders, and gives them to the newcomer. */
function prepare(folder: string): Machine {
  const machine = {
    checkout: `${folder}/tinycoder`,
    home: `${folder}/home`,
    programs: `${folder}/programs`,
  };
  for (const path of Object.values(machine)) Deno.mkdirSync(path);
  // What a clone brings.
  const kept = new TextDecoder().decode(
    new Deno.Command("git", {
      args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      cwd: ROOT_PATH,
    }).outputSync().stdout,
  ).split("\0").filter((path) => fs.existsSync(`${ROOT_PATH}${path}`));
  for (const path of kept.filter((one) => one !== "")) {
    fs.cpSync(`${ROOT_PATH}${path}`, `${machine.checkout}/${path}`);
  }
  for (const name of PROGRAMS) {
    const found = (Deno.env.get("PATH") ?? "").split(":")
      .map((place) => `${place}/${name}`)
      .find((path) => fs.existsSync(path));
    if (found === undefined) throw new Error(`There is no "${name}" here`);
    Deno.symlinkSync(Deno.realPathSync(found), `${machine.programs}/${name}`);
  }
  for (const path of [machine.checkout, machine.home]) give(path);
  return machine;
}

/** Gives a folder and all below it to the newcomer. */
function give(path: string): void {
  if (Deno.uid() !== 0) return;
  fs.lchownSync(path, NOBODY, NOBODY);
  if (!Deno.lstatSync(path).isDirectory) return;
  for (const { name } of Deno.readDirSync(path)) give(`${path}/${name}`);
}

function copyTinyModel(cwd: string): void {
  const tiny = `${ROOT_PATH}fixtures/checkpoint/tiny-qwen2`;
  fs.cpSync(tiny, `${cwd}/tiny`, { recursive: true });
  fs.cpSync(`${tiny}.json`, `${cwd}/tiny.json`);
  for (const name of ["tiny", "tiny.json"]) give(`${cwd}/${name}`);
}

/**
 * Types one command, and shows what it says.
 *
 * @returns The folder that the newcomer is in afterwards.
 * @throws {Error} if it fails.
 */
function type(machine: Machine, cwd: string, line: string): string {
  console.log(`\n$ ${line}`);
  const place = `${folder}/place`;
  const script = `${line} && pwd >"${place}"`;
  fs.writeFileSync(place, "");
  give(place);
  const asUser = Deno.uid() === 0
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
    : [];
  const shell = [
    ...asUser,
    ...["env", "-i", `HOME=${machine.home}`, `TMPDIR=${machine.home}`],
    ...["TERM=dumb", "NO_COLOR=1"],
    ...Object.entries(Deno.env.toObject())
      .map(([name, value]) => `${name}=${value}`)
      .filter((one) => NETWORK.test(one)),
    // "Put it on your PATH", as the README says.
    `PATH=${machine.programs}:${machine.checkout}/tasks`,
    ...[`${machine.programs}/sh`, "-c", script],
  ];
  const { success } = new Deno.Command("python3", {
    args: ["-c", ON_A_TERMINAL, JSON.stringify(ANSWERS[line] ?? []), ...shell],
    cwd,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).outputSync();
  if (!success) throw new Error(`"${line}" failed`);
  return fs.readFileSync(place, "utf8").trimEnd();
}
