import assert from "node:assert/strict";
import {
  freshFolder,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import {
  TASK_SHA256,
  TASK_TXT,
  TOY_MATH,
  TOY_MATH_SHA256,
} from "../../tests/lab_texts.ts";
import {
  type Onlooker,
  systemError,
  watchedFiles,
} from "../../tests/watched_files.ts";
import type { StopWord } from "../agent/gate.ts";
import type { Sha256 } from "../system/sha256.ts";
import {
  BACKUP_FOLDER,
  backupName,
  createWorkspace,
  type ExpectedFiles,
  openWorkspace,
  type PreparedEdit,
  temporaryName,
  WORKSPACE_FOLDER,
} from "./workspace.ts";

const encoder = new TextEncoder();
const expected: ExpectedFiles = {
  task: TASK_SHA256 as Sha256,
  source: TOY_MATH_SHA256[0] as Sha256,
};
const edit: PreparedEdit = {
  oldVersion: 0,
  expected,
  before: encoder.encode(TOY_MATH[0]),
  after: encoder.encode(TOY_MATH[1]),
};

/** A workspace in a fresh folder, with somebody looking on. */
function fresh(look: Onlooker = () => {}) {
  const folder = freshFolder();
  createWorkspace(unflushedFiles, folder.path);
  return {
    path: folder.path,
    source: `${folder.path}/workspace/toy_math.py`,
    workspace: openWorkspace(watchedFiles(look), folder.path),
    /** Files below the run's folder with their text. */
    files: () => {
      const texts: Record<string, string> = {};
      for (const part of [WORKSPACE_FOLDER, BACKUP_FOLDER]) {
        for (const { name } of Deno.readDirSync(`${folder.path}/${part}`)) {
          texts[`${part}/${name}`] = Deno.readTextFileSync(
            `${folder.path}/${part}/${name}`,
          );
        }
      }
      return texts;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const initialFiles = {
  "workspace/TASK.txt": TASK_TXT,
  "workspace/toy_math.py": TOY_MATH[0],
};
const temporary = "workspace/.toy_math.py.v1.tmp";

Deno.test("backupName() and temporaryName() carry the version", () => {
  assert.deepEqual([backupName(0), backupName(5)], [
    "toy_math.py.v0",
    "toy_math.py.v5",
  ]);
  assert.deepEqual([temporaryName(0), temporaryName(5)], [
    ".toy_math.py.v1.tmp",
    ".toy_math.py.v6.tmp",
  ]);
});

Deno.test("createWorkspace() makes the lab's files, for their owner alone, and flushes each", () => {
  using folder = freshFolder();
  const calls: string[] = [];
  createWorkspace(watchedFiles((call) => calls.push(call)), folder.path);
  const read = (name: string) =>
    Deno.readTextFileSync(`${folder.path}/workspace/${name}`);
  assert.equal(read("TASK.txt"), TASK_TXT);
  assert.equal(read("toy_math.py"), TOY_MATH[0]);
  const mode = (name: string) =>
    (Deno.statSync(`${folder.path}/${name}`).mode ?? 0) & 0o777;
  assert.deepEqual(
    ["workspace", "backups", "workspace/TASK.txt", "workspace/toy_math.py"]
      .map(mode),
    [0o700, 0o700, 0o600, 0o600],
  );
  const created = (name: string) => [
    `create ${name}`,
    `write ${name}`,
    `sync ${name}`,
  ];
  assert.deepEqual(calls, [
    "makeFolder workspace",
    ...created("TASK.txt"),
    ...created("toy_math.py"),
    "syncFolder workspace",
    "makeFolder backups",
    `syncFolder ${folder.path.slice(folder.path.lastIndexOf("/") + 1)}`,
  ]);
});

Deno.test("createWorkspace() takes no folder that is there already", () => {
  using folder = freshFolder();
  createWorkspace(unflushedFiles, folder.path);
  assert.throws(() => createWorkspace(unflushedFiles, folder.path), {
    code: "EEXIST",
  });
});

Deno.test("Workspace.inspect() finds both files as recorded, or the first that isn't", () => {
  using run = fresh();
  const { workspace, path, source } = run;
  assert.equal(workspace.inspect(expected), null);
  Deno.writeTextFileSync(source, TOY_MATH[1]);
  assert.deepEqual(workspace.inspect(expected), {
    file: "toy_math.py",
    finding: "bytes_changed",
    sha256: TOY_MATH_SHA256[1],
  });
  Deno.writeTextFileSync(`${path}/workspace/TASK.txt`, "");
  assert.deepEqual(workspace.inspect(expected), {
    file: "TASK.txt",
    finding: "bytes_changed",
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  });
});

Deno.test("Workspace.inspect() tells how a file is no longer the managed one", () => {
  const changes: [string, (source: string, path: string) => void][] = [
    ["missing", (source) => Deno.removeSync(source)],
    ["not_regular", (source, path) => {
      Deno.renameSync(source, `${path}/backups/kept`);
      Deno.symlinkSync(`${path}/backups/kept`, source);
    }],
    ["extra_link", (source, path) => {
      Deno.linkSync(source, `${path}/backups/link`);
    }],
    ["folder_moved", (_source, path) => {
      Deno.renameSync(`${path}/workspace`, `${path}/moved`);
      Deno.symlinkSync(`${path}/moved`, `${path}/workspace`);
    }],
    ["too_large", (source) => {
      Deno.writeTextFileSync(source, "#".repeat(4_097));
    }],
  ];
  for (const [finding, change] of changes) {
    using run = fresh();
    change(run.source, run.path);
    assert.deepEqual(run.workspace.inspect(expected), {
      file: finding === "folder_moved" ? "TASK.txt" : "toy_math.py",
      finding,
      sha256: null,
    });
  }
});

Deno.test("Workspace.inspect() reads 4,096 bytes, and takes 4,097 for too many", () => {
  using run = fresh();
  const finding = (bytes: number) => {
    Deno.writeTextFileSync(run.source, "#".repeat(bytes));
    return run.workspace.inspect(expected)?.finding;
  };
  assert.deepEqual([finding(4_096), finding(4_097)], [
    "bytes_changed",
    "too_large",
  ]);
});

Deno.test("Workspace.backUp() keeps the old bytes exclusively, flushed with their folder", () => {
  const calls: string[] = [];
  using run = fresh((call) => calls.push(call));
  assert.equal(run.workspace.backUp(edit), null);
  assert.deepEqual(run.files(), {
    ...initialFiles,
    "backups/toy_math.py.v0": TOY_MATH[0],
  });
  assert.deepEqual(calls, [
    "create toy_math.py.v0",
    "write toy_math.py.v0",
    "sync toy_math.py.v0",
    "syncFolder backups",
  ]);
  assert.deepEqual(run.workspace.backUp(edit), {
    step: "backup",
    cause: "io",
    error: "EEXIST",
    found: "before",
  });
});

Deno.test("Workspace.commit() replaces the source, and asks for a stop right before", () => {
  const calls: string[] = [];
  using run = fresh((call) => calls.push(call));
  const stop = () => {
    calls.push("stop?");
    return null;
  };
  assert.equal(run.workspace.commit(edit, stop), null);
  assert.deepEqual(run.files(), {
    ...initialFiles,
    "workspace/toy_math.py": TOY_MATH[1],
  });
  const inspected = [
    "open TASK.txt",
    "read TASK.txt",
    "open toy_math.py",
    "read toy_math.py",
  ];
  assert.deepEqual(calls, [
    "create .toy_math.py.v1.tmp",
    "write .toy_math.py.v1.tmp",
    "sync .toy_math.py.v1.tmp",
    ...inspected,
    "stop?",
    "rename .toy_math.py.v1.tmp toy_math.py",
    "syncFolder workspace",
    ...inspected,
  ]);
});

Deno.test("Workspace.commit() leaves source and temporary file where it must stop", () => {
  for (const word of ["cancelled", "call_expired", "run_expired"] as const) {
    using run = fresh();
    assert.deepEqual(run.workspace.commit(edit, (): StopWord => word), {
      step: "recheck",
      cause: word,
      error: null,
      found: "before",
    });
    assert.deepEqual(run.files(), {
      ...initialFiles,
      [temporary]: TOY_MATH[1],
    });
  }
});

Deno.test("Workspace.commit() does not replace a source that was changed meanwhile", () => {
  using run = fresh((call) => {
    if (call === "sync .toy_math.py.v1.tmp") {
      Deno.writeTextFileSync(run.source, "changed");
    }
  });
  const asked = () => assert.fail("It must not come this far");
  assert.deepEqual(run.workspace.commit(edit, asked), {
    step: "recheck",
    cause: "target_changed",
    error: null,
    found: "other",
  });
  assert.deepEqual(run.files(), {
    ...initialFiles,
    "workspace/toy_math.py": "changed",
    [temporary]: TOY_MATH[1],
  });
});

Deno.test("Workspace.commit() reads back what it wrote", () => {
  using run = fresh((call) => {
    if (call === "syncFolder workspace") {
      Deno.writeTextFileSync(run.source, "changed");
    }
  });
  assert.deepEqual(run.workspace.commit(edit, () => null), {
    step: "read_back",
    cause: "target_changed",
    error: null,
    found: "other",
  });
});

Deno.test("Workspace.commit() looks at the bytes after an I/O fault, and never writes twice", () => {
  const faults: [string, string, "before" | "after"][] = [
    ["create .toy_math.py.v1.tmp", "temporary", "before"],
    ["write .toy_math.py.v1.tmp", "temporary", "before"],
    ["sync .toy_math.py.v1.tmp", "temporary", "before"],
    ["open TASK.txt", "recheck", "before"],
    ["rename .toy_math.py.v1.tmp toy_math.py", "rename", "before"],
    ["syncFolder workspace", "sync", "after"],
  ];
  for (const [at, step, found] of faults) {
    let times = 0;
    using run = fresh((call) => {
      if (call === at && ++times === 1) throw systemError("EIO");
    });
    assert.deepEqual(run.workspace.commit(edit, () => null), {
      step,
      cause: "io",
      error: "EIO",
      found,
    }, at);
    assert.equal(
      run.files()["workspace/toy_math.py"],
      TOY_MATH[found === "after" ? 1 : 0],
    );
  }
});

Deno.test("Workspace.commit() claims nothing of a source that it can't read any more", () => {
  let renamed = false;
  using run = fresh((call) => {
    if (call.startsWith("rename")) renamed = true;
    else if (renamed) throw systemError("EIO");
  });
  assert.deepEqual(run.workspace.commit(edit, () => null), {
    step: "sync",
    cause: "io",
    error: "EIO",
    found: "other",
  });
});
