// The launcher of a checkout that isn't its user's own: another user, a checkout
// that nobody may write, a link to it, and one that isn't ready.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { ROOT_PATH } from "../tasks/build/files.ts";
import {
  copyTinyModel,
  NOBODY,
  TINY_TRIAL,
  type User,
  USERS,
  workingFolder,
} from "./binary_run.ts";
import {
  assertOneError,
  LAUNCHER,
  type Left,
  leftBy,
  OWN_MOUNTS,
  tinycoder,
} from "./launched.ts";

/**
 * Shows the checkout `$1` read-only at `$2/checkout`, with other files in place
 * of some of its own (`$3`, a folder), and runs what follows in `$2/work`.
 */
const READ_ONLY_CHECKOUT = `set -eu
mount --bind "$1" "$2/checkout"
mount -o remount,bind,ro "$2/checkout"
for file in "$3"/*; do
  [ ! -e "$file" ] || mount --bind "$file" "$2/checkout/\${file##*/}"
done
cd "$2/work"
shift 3
exec "$@"
`;

/** A place with a read-only checkout, and a user who owns nothing but a home. */
class Place implements Disposable {
  readonly #folder: ReturnType<typeof workingFolder>;
  readonly #user: User;

  constructor(user: User) {
    this.#folder = workingFolder(user);
    this.#user = user;
    fs.chmodSync(this.path, 0o755);
    for (const name of ["checkout", "instead", "bin", "work", "home"]) {
      fs.mkdirSync(`${this.path}/${name}`);
    }
    // Older than what is installed, however the checkout came here.
    fs.copyFileSync(`${ROOT_PATH}deno.lock`, `${this.path}/instead/deno.lock`);
    fs.utimesSync(`${this.path}/instead/deno.lock`, 0, 0);
    // Deno may be installed where nobody else may look.
    fs.copyFileSync(Deno.execPath(), `${this.path}/bin/deno`);
    if (user === "nobody") {
      for (const name of ["work", "home"]) {
        fs.chownSync(`${this.path}/${name}`, NOBODY, NOBODY);
      }
    }
  }

  get path(): string {
    return this.#folder.path;
  }

  /** The user's current folder. */
  get work(): string {
    return `${this.path}/work`;
  }

  /** Runs the launcher, or `program` in its place, to its end. */
  async run(
    args: readonly string[],
    program = `${this.path}/checkout/tasks/tinycoder`,
  ): Promise<Left> {
    const asUser = this.#user === "nobody"
      ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
      : [];
    const [first = "", ...rest] = [
      ...OWN_MOUNTS,
      ...["sh", "-c", READ_ONLY_CHECKOUT, "sh"],
      ...[ROOT_PATH, this.path, `${this.path}/instead`],
      ...asUser,
      ...["env", `PATH=${this.path}/bin:/usr/bin:/bin`],
      program,
      ...args,
    ];
    return await leftBy(
      new Deno.Command(first, {
        args: rest,
        clearEnv: true,
        env: {
          PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
          HOME: `${this.path}/home`,
          NO_COLOR: "1",
          RUST_BACKTRACE: "0",
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

for (const user of USERS) {
  Deno.test(`the launcher of a read-only checkout does its work, as ${user}`, async () => {
    using place = new Place(user);
    copyTinyModel(place.work);
    const done = async (...args: readonly string[]) => {
      const { code, out, err } = await place.run(args);
      assert.equal(code, 0, `${args.join(" ")}: ${out}${err}`);
      return out;
    };
    await done("--run", "baseline", "--quiet");
    await done("verify", "baseline");
    await done("doctor");
    await done(...TINY_TRIAL, "--quiet");
    await done("verify", "trial");
    assert.deepEqual(fs.readdirSync(place.work).sort(), [
      ".tinycoder-engine",
      "baseline",
      "tiny",
      "tiny.json",
      "trial",
    ]);
    const { uid } = fs.statSync(`${place.work}/baseline/final.json`);
    assert.equal(uid, user === "nobody" ? NOBODY : Deno.uid());
  });
}

Deno.test("the launcher works through a link, from the PATH", async () => {
  using place = new Place("this user");
  fs.symlinkSync("../checkout/tasks/tinycoder", `${place.path}/bin/tinycoder`);
  const { code, err } = await place.run(
    ["--run", "baseline", "--quiet"],
    "tinycoder",
  );
  assert.equal(code, 0, err);
});

Deno.test("the launcher says what to do where its packages aren't in place, and can't be put there", async () => {
  using place = new Place(USERS.at(-1) ?? "this user");
  const now = Date.now() / 1_000;
  fs.utimesSync(`${place.path}/instead/deno.lock`, now, now);
  assertOneError(
    await place.run(["--run", "baseline"]),
    3,
    "Cannot start tinycoder",
    "packages are not installed",
    "npx --yes deno@2.9.4 install --frozen",
  );
  assert.deepEqual(fs.readdirSync(place.work), []);
});

Deno.test("the launcher refuses a folder whose name would break its rights", async () => {
  using folder = workingFolder("this user");
  const tasks = `${folder.path}/a,b/tasks`;
  fs.mkdirSync(tasks, { recursive: true });
  fs.copyFileSync(`${ROOT_PATH}tasks/tinycoder`, `${tasks}/tinycoder`);
  const left = await leftBy(
    new Deno.Command(`${tasks}/tinycoder`, {
      args: ["--version"],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  assertOneError(left, 3, "a comma", "Move the checkout");
});

for (
  const [what, script, code, says] of [
    ["a closed output", 'exec "$@" >&-', 3, "its standard output is closed"],
    [
      "a current folder that is gone",
      'mkdir gone; cd gone; rmdir ../gone; exec "$@"',
      3,
      "the current folder is gone",
    ],
    [
      "an argument that is no UTF-8",
      `exec "$@" "$(printf 'a\\377')"`,
      2,
      "an argument is no UTF-8 text",
    ],
  ] as const
) {
  Deno.test(`the launcher refuses ${what} in words of its own`, async () => {
    using folder = workingFolder("this user");
    const within = ["sh", "-c", script, "sh"];
    const left = await tinycoder(folder.path, ["show"], { within });
    assertOneError(left, code, `Cannot start tinycoder: ${says}`);
    assert.deepEqual(fs.readdirSync(folder.path), []);
  });
}

/** What may make Deno, or what it loads, do something that no command does. */
const ALTERING = {
  DENO_AUDIT_PERMISSIONS: "audit.jsonl",
  DENO_COVERAGE_DIR: "coverage",
  DENO_NO_PACKAGE_JSON: "1",
  DENO_PERMISSION_BROKER_PATH: "broker",
  DENO_TRACE_PERMISSIONS: "1",
  DENO_V8_FLAGS: "--help",
  LD_LIBRARY_PATH: "libraries",
  NODE_OPTIONS: "--require ./absent.js",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_V8_COVERAGE: "coverage",
  OTEL_DENO: "true",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
  SSLKEYLOGFILE: "keys",
  SOMETHING_OF_A_LATER_VERSION: "1",
};

/** A PATH on which `deno` is a program that tells its environment. */
function telling(folder: string): string {
  const bin = `${folder}/a=b`;
  fs.mkdirSync(bin);
  const script = `#!/bin/sh
if [ "$1" = -V ]; then echo "deno 2.9.4"; else exec env; fi
`;
  fs.writeFileSync(`${bin}/deno`, script, { mode: 0o755 });
  return `${bin}:/usr/bin:/bin`;
}

/** What Deno's environment is, for a launcher that has this one. */
async function environmentOfDeno(
  path: string,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { code, out, err } = await leftBy(
    new Deno.Command(LAUNCHER, {
      clearEnv: true,
      env: { ...given, PATH: path },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  assert.equal(code, 0, err);
  const told = out.trim().split("\n").map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  // A shell's own, whichever shell it is.
  const shells = ["PWD", "OLDPWD", "SHLVL", "_"];
  return Object.fromEntries(told.filter(([name]) => !shells.includes(name)));
}

Deno.test("the launcher keeps from Deno what of the environment isn't on its list", async () => {
  using folder = workingFolder("this user");
  const path = telling(folder.path);
  const own = { PATH: path, DENO_NO_UPDATE_CHECK: "1", RUST_BACKTRACE: "0" };
  const TERM = "xterm";
  assert.deepEqual(await environmentOfDeno(path, { ...ALTERING, TERM }), {
    ...own,
    TERM,
  });
  const kept = {
    HOME: "/a home",
    TERM,
    NO_COLOR: "",
    DENO_DIR: 'it\'s "here" $HOME *',
    DENO_CERT: "ours.pem",
    HTTPS_PROXY: "http://127.0.0.1:1",
  };
  assert.deepEqual(await environmentOfDeno(path, { ...ALTERING, ...kept }), {
    ...own,
    ...kept,
  });
});

Deno.test("the launcher asks for no colours where the terminal takes none", async () => {
  using folder = workingFolder("this user");
  const path = telling(folder.path);
  for (
    const [TERM, expected] of [["dumb", "1"], ["xterm", undefined]] as const
  ) {
    const { NO_COLOR } = await environmentOfDeno(path, { TERM });
    assert.equal(NO_COLOR, expected, TERM);
  }
});

Deno.test("the launcher lets no variable run, write or replace anything in a run", async () => {
  using folder = workingFolder("this user");
  const within = [
    "env",
    ...Object.entries(ALTERING).map(([name, value]) => `${name}=${value}`),
  ];
  const args = ["--run", "run", "--quiet"];
  const { code, err } = await tinycoder(folder.path, args, { within });
  assert.equal(code, 0, err);
  assert.equal(err, "");
  assert.deepEqual(fs.readdirSync(folder.path), ["run"]);
});
