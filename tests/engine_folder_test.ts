// The folder of the engine's native files in a world that goes wrong: each time
// one sentence before anything of a trial exists, and never an unverified load.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import {
  copyTinyModel,
  NOBODY,
  runBinary,
  type Start,
  TINY_TRIAL,
  workingFolder,
} from "./binary_run.ts";
import { compiledBinary } from "./compiled_binary.ts";
import { assertOneError, type Left, leftBy, OWN_MOUNTS } from "./launched.ts";

const ROOT = ".tinycoder-engine";
const LIBRARY = "libonnxruntime.so.1";
const BINDING = "onnxruntime_binding.node";

/** A current folder with the small checkpoint in it. */
async function startIn(folder: string): Promise<Start> {
  copyTinyModel(folder);
  return { program: await compiledBinary(), cwd: folder, user: "this user" };
}

/** Runs a trial in a folder; what `--yes` agreed to is taken off its stderr. */
async function tryIn(start: Start): Promise<Left> {
  return afterTheYes(await runBinary(start, [...TINY_TRIAL, "--quiet"]));
}

function afterTheYes({ code, out, err }: Left): Left {
  const agreed = "Agreed to by --yes.\n\n";
  const from = err.indexOf(agreed);
  assert.notEqual(from, -1, err);
  return { code, out, err: err.slice(from + agreed.length) };
}

/** Asserts that a trial was refused over its engine, and nothing of it made. */
function assertRefused(left: Left, folder: string, says: string): void {
  assertOneError(left, 3, '"tiny"', "its engine can't be used", says);
  assert.equal(fs.existsSync(`${folder}/trial`), false);
}

/** The folder of the one engine below its root. */
function engineFolder(folder: string): string {
  const [digest, ...more] = fs.readdirSync(`${folder}/${ROOT}`);
  assert.deepEqual(more, []);
  return `${folder}/${ROOT}/${digest}`;
}

/** What may have become of the folder since an earlier trial. */
const SPOILT: readonly {
  readonly what: string;
  readonly spoil: (engine: string, root: string) => void;
  readonly says: string;
  /** Whether only root can bring it about. */
  readonly byRoot?: true;
}[] = [
  {
    what: "damaged",
    spoil: (engine) => {
      const bytes = fs.readFileSync(`${engine}/${BINDING}`);
      bytes[bytes.length - 1]! ^= 1;
      fs.writeFileSync(`${engine}/${BINDING}`, bytes);
    },
    says: `${BINDING}" isn't the file that this program was built with: ` +
      "remove it, it is written anew.",
  },
  {
    what: "cut short",
    spoil: (engine) => fs.truncateSync(`${engine}/${LIBRARY}`, 1_000_000),
    says: `${LIBRARY}" isn't the file that this program was built with: ` +
      "remove it, it is written anew.",
  },
  {
    what: "somebody else's",
    spoil: (_, root) => fs.chownSync(root, NOBODY, NOBODY),
    says: `folder "${ROOT}" belongs to another user: remove "${ROOT}", it is ` +
      "made anew.",
    byRoot: true,
  },
  {
    what: "in part somebody else's",
    spoil: (engine) => fs.chownSync(`${engine}/${LIBRARY}`, NOBODY, NOBODY),
    says: `${LIBRARY}" belongs to another user: remove it, it is written anew.`,
    byRoot: true,
  },
  {
    what: "readable by others",
    spoil: (_, root) => fs.chmodSync(root, 0o755),
    says: `folder "${ROOT}" is open to other users: remove "${ROOT}", it is ` +
      "made anew.",
  },
  {
    what: "in part readable by others",
    spoil: (engine) => fs.chmodSync(`${engine}/${BINDING}`, 0o644),
    says: `${BINDING}" is open to other users: remove it, it is written anew.`,
  },
  {
    what: "in part a link",
    spoil: (engine, root) => {
      fs.renameSync(`${engine}/${BINDING}`, `${root}/moved`);
      fs.symlinkSync("../moved", `${engine}/${BINDING}`);
    },
    says: `${BINDING}" isn't a regular file: remove it, it is written anew.`,
  },
  {
    what: "itself a link",
    spoil: (_, root) => {
      fs.renameSync(root, `${root}-moved`);
      fs.symlinkSync(`${ROOT}-moved`, root);
    },
    says: `folder "${ROOT}" isn't a folder: remove "${ROOT}", it is made anew.`,
  },
  {
    what: "joined by a stranger",
    spoil: (engine) => fs.writeFileSync(`${engine}/libstdc++.so.6`, "ELF"),
    says: 'holds "libstdc++.so.6", which the system may load in the ' +
      "engine's place: remove it.",
  },
  {
    what: "a file",
    spoil: (_, root) => {
      fs.rmSync(root, { recursive: true });
      fs.writeFileSync(root, "in the way");
    },
    says: `The engine can't be kept in "${ROOT}": a part of it is not a ` +
      "folder. Remove what is there",
  },
];

Deno.test("a trial refuses an engine's folder that isn't as it was left", async (t) => {
  using folder = workingFolder("this user");
  const start = await startIn(folder.path);
  assert.equal((await tryIn(start)).code, 0);
  fs.rmSync(`${folder.path}/trial`, { recursive: true });
  const kept = `${folder.path}/kept`;
  fs.renameSync(`${folder.path}/${ROOT}`, kept);
  for (const { what, spoil, says, byRoot } of SPOILT) {
    if (byRoot && Deno.uid() !== 0) continue;
    await t.step(what, async () => {
      const root = `${folder.path}/${ROOT}`;
      fs.cpSync(kept, root, { recursive: true });
      for (const path of [root, engineFolder(folder.path)]) {
        fs.chmodSync(path, 0o700);
      }
      spoil(engineFolder(folder.path), root);
      assertRefused(await tryIn(start), folder.path, says);
      for (const path of [root, `${root}-moved`]) {
        fs.rmSync(path, { recursive: true, force: true });
      }
    });
  }
});

/** Runs a trial on a small disk of its own, mounted as `$2` says. */
const ON_OWN_DISK = `set -eu
mount -t tmpfs -o "$2" tmpfs "$1/disk"
cp -R "$1/tiny" "$1/tiny.json" "$1/disk"
cd "$1/disk"
shift 2
code=0
"$@" || code=$?
find . -name '*.part' -o -name trial >&2
exit "$code"
`;

async function tryOnDisk(
  folder: string,
  options: string,
  words: readonly string[],
): Promise<Left> {
  fs.mkdirSync(`${folder}/disk`);
  const [program = "", ...args] = [
    ...OWN_MOUNTS,
    ...["sh", "-c", ON_OWN_DISK, "sh", folder, options],
    ...words,
  ];
  return await leftBy(
    new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
}

Deno.test("a trial refuses a folder whose files may not be executed", async () => {
  using folder = workingFolder("this user");
  const { program } = await startIn(folder.path);
  const left = await tryOnDisk(folder.path, "noexec,mode=0700,size=300m", [
    program,
    ...TINY_TRIAL,
    "--quiet",
  ]);
  assertRefused(
    afterTheYes(left),
    `${folder.path}/disk`,
    "The engine's files may not be executed where they are: the current " +
      "folder lies on a file system mounted noexec; start in another folder.",
  );
});

Deno.test("a trial refuses a disk that has no room for another file", async () => {
  using folder = workingFolder("this user");
  const { program } = await startIn(folder.path);
  const files = "mode=0700,size=300m,nr_inodes=10";
  const left = await tryOnDisk(folder.path, files, [
    program,
    ...TINY_TRIAL,
    "--quiet",
  ]);
  assertRefused(
    afterTheYes(left),
    `${folder.path}/disk`,
    `The engine can't be kept in "${ROOT}": the disk is full. ` +
      "Free some space first.",
  );
});

Deno.test("a trial refuses a disk that has no room for the engine", async () => {
  using folder = workingFolder("this user");
  const { program } = await startIn(folder.path);
  const left = await tryOnDisk(folder.path, "mode=0700,size=60m", [
    program,
    ...TINY_TRIAL,
    "--quiet",
  ]);
  assertOneError(left, 3, '"tiny"', "about 100 MB of free disk", "Free some");
});

Deno.test("installEngine() leaves no half of a file on a disk that fills up", async () => {
  using folder = workingFolder("this user");
  copyTinyModel(folder.path);
  const engine = new URL("../lib/model/engine.ts", import.meta.url);
  const { code, out, err } = await tryOnDisk(
    folder.path,
    "mode=0700,size=20m",
    [
      Deno.execPath(),
      "eval",
      "--no-lock",
      "--config",
      new URL("../deno.json", import.meta.url).pathname,
      `const { installEngine } = await import("${engine}");` +
      "await installEngine().catch(({ message }) => console.log(message));",
    ],
  );
  assert.deepEqual([code, out, err], [
    0,
    `The engine can't be kept in "${ROOT}": the disk is full. ` +
    "Free some space first\n",
    "",
  ]);
});

Deno.test("trials that begin at once share one engine", async () => {
  using folder = workingFolder("this user");
  const start = await startIn(folder.path);
  const made = await Promise.all(
    ["one", "two", "three"].map((run) =>
      runBinary(start, ["--run", run, ...TINY_TRIAL.slice(2), "--quiet"])
    ),
  );
  for (const { code, err } of made) assert.equal(code, 0, err);
  assert.deepEqual(
    fs.readdirSync(engineFolder(folder.path)).sort(),
    [LIBRARY, BINDING],
  );
});

Deno.test("a trial begins anew where another one was killed while it wrote the engine", async () => {
  using folder = workingFolder("this user");
  const start = await startIn(folder.path);
  // The system kills whoever writes a file beyond this: 20,000 blocks.
  const { success } = await new Deno.Command("sh", {
    args: ["-c", 'ulimit -f 20000; exec "$@"', "sh", start.program].concat(
      TINY_TRIAL,
    ),
    cwd: folder.path,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  assert.equal(success, false);
  const [left = "", ...more] = fs.readdirSync(engineFolder(folder.path));
  assert.deepEqual(more, []);
  assert.match(left, /^libonnxruntime\.so\.1\.[0-9a-f-]{36}\.part$/);
  const again = await tryIn(start);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(
    fs.readdirSync(engineFolder(folder.path)).sort(),
    [LIBRARY, BINDING],
  );
});
