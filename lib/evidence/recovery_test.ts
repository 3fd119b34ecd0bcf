import assert from "node:assert/strict";
import * as fs from "node:fs";
import {
  conductBaseline,
  freshFolder,
  recoverLabRun,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { contentsOf, digestOf } from "../../tests/closed_run.ts";
import {
  faultyBaseline,
  placeOf,
  wholeBaseline,
} from "../../tests/fault_sweep.ts";
import type { JsonObject } from "../agent/json.ts";
import { diskFiles } from "../system/files.ts";
import { canonicalJson } from "./audit_record.ts";
import { RecoveryRefusal } from "./read_manifest.ts";

/** Operations after which a baseline can die, as the nth of their name. */
const DIES = {
  beforeItsWorkspace: ["makeFolder", 1],
  beforeItsFirstRecord: ["makeFolder", 2],
  /** The backup of the old bytes is there. */
  beforeItsFirstIntent: ["write", 15],
  /** The temporary file isn't there yet. */
  afterItsFirstIntent: ["write", 16],
  /** The new bytes are there, the receipt isn't. */
  afterItsFirstRename: ["rename", 2],
  beforeItsFinalReport: ["create", 9],
} as const;

/** A run that died after one of its file operations. */
async function dead(folder: string, after: keyof typeof DIES): Promise<void> {
  const { operations } = await wholeBaseline();
  const at = placeOf(operations, DIES[after]);
  const fault = { kind: "stop_after", at } as const;
  assert.equal((await faultyBaseline(folder, fault)).files.stopped, true);
}

async function recovered(folder: string): Promise<JsonObject> {
  const { already, final } = await recoverLabRun(unflushedFiles, folder);
  assert.equal(already, false);
  return final;
}

/** Asserts a refusal that changes nothing, and returns its message. */
async function refused(
  folder: string,
  reason: RecoveryRefusal["reason"],
): Promise<string> {
  const before = contentsOf(folder);
  try {
    await recoverLabRun(unflushedFiles, folder);
  } catch (error) {
    assert.ok(error instanceof RecoveryRefusal, String(error));
    assert.equal(error.reason, reason, error.message);
    assert.deepEqual(contentsOf(folder), before);
    return error.message;
  }
  throw new assert.AssertionError({ message: "Nothing was refused" });
}

function eventsIn(path: string): string[] {
  return fs.readFileSync(path, "utf8").split("\n").slice(0, -1)
    .map((line) => JSON.parse(line)["event"]);
}

Deno.test("recoverRun() closes an open edit as abandoned where the old bytes are", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  const final = await recovered(folder.path);
  assert.equal(final["version"], 0);
  assert.equal(final["final_evaluation"], "unperformed");
  assert.deepEqual(eventsIn(`${folder.path}/recovery.jsonl`), [
    "tail_found",
    "workspace_found",
    "edit_abandoned",
    "final_evaluation",
    "run_recovered",
  ]);
});

Deno.test("recoverRun() closes an open edit as committed where the new bytes are", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  const final = await recovered(folder.path);
  assert.equal(final["version"], 1);
  assert.deepEqual(eventsIn(`${folder.path}/recovery.jsonl`), [
    "tail_found",
    "workspace_found",
    "edit_committed",
    "final_evaluation",
    "run_recovered",
  ]);
  const receipt = fs.readFileSync(`${folder.path}/recovery.jsonl`, "utf8")
    .split("\n")[2] ?? "";
  assert.deepEqual(JSON.parse(receipt)["content"], {
    version: 1,
    sha256: digestOf(fs.readFileSync(`${folder.path}/workspace/toy_math.py`)),
    reconciled: true,
  });
});

Deno.test("recoverRun() adopts nothing that the run didn't write", async () => {
  for (
    const at of ["beforeItsFirstIntent", "afterItsFirstIntent"] as const
  ) {
    using folder = freshFolder();
    await dead(folder.path, at);
    fs.writeFileSync(`${folder.path}/workspace/toy_math.py`, "changed");
    const final = await recovered(folder.path);
    assert.equal(final["final_evaluation"], "workspace_conflict");
    assert.equal(final["sha256"], null);
    assert.equal(final["version"], 0);
    assert.deepEqual(eventsIn(`${folder.path}/recovery.jsonl`), [
      "tail_found",
      "workspace_found",
      "final_evaluation",
      "run_recovered",
    ]);
    assert.equal(
      fs.readFileSync(`${folder.path}/workspace/toy_math.py`, "utf8"),
      "changed",
    );
  }
});

Deno.test("recoverRun() believes nothing that another recovery claims", async () => {
  for (
    const claimed of [
      { verified_success: true },
      { recovered: false },
      { stop_reason: "finish_accepted" },
      { proposals: 6 },
      { foo: "bar" },
    ]
  ) {
    using folder = freshFolder();
    await dead(folder.path, "afterItsFirstRename");
    await recovered(folder.path);
    fs.rmSync(`${folder.path}/final.json`);
    const path = `${folder.path}/recovery.jsonl`;
    const lines = fs.readFileSync(path, "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines.pop()!);
    const forged = { ...last, content: { ...last.content, ...claimed } };
    fs.writeFileSync(
      path,
      [...lines, canonicalJson(forged), ""].join("\n"),
    );
    await refused(folder.path, "evidence_differs");
  }
});

Deno.test("recoverRun() follows no link to another recovery", async () => {
  for (const target of ["/dev/zero", "audit.jsonl", "nothing", "."]) {
    using folder = freshFolder();
    await dead(folder.path, "beforeItsFinalReport");
    fs.symlinkSync(target, `${folder.path}/recovery.jsonl`);
    assert.equal(
      await refused(folder.path, "evidence_differs"),
      "recovery.jsonl can't be taken: it isn't a regular file",
    );
  }
});

Deno.test("recoverRun() finds a link in a managed file's place", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  const path = `${folder.path}/workspace/toy_math.py`;
  fs.renameSync(path, `${folder.path}/elsewhere`);
  fs.symlinkSync("../elsewhere", path);
  const final = await recovered(folder.path);
  assert.equal(final["final_evaluation"], "workspace_conflict");
});

Deno.test("recoverRun() keeps the recorded stop and evaluation, but no success", async () => {
  using folder = freshFolder();
  await dead(folder.path, "beforeItsFinalReport");
  const final = await recovered(folder.path);
  const { stop_reason, detail, final_evaluation, held_out } = final;
  const { verified_success, recovered: closed } = final;
  assert.deepEqual(
    {
      stop_reason,
      detail,
      final_evaluation,
      held_out,
      verified_success,
      recovered: closed,
    },
    {
      stop_reason: "finish_accepted",
      detail: null,
      final_evaluation: "performed",
      held_out: { passed: 8, total: 8 },
      verified_success: false,
      recovered: true,
    },
  );
});

Deno.test("recoverRun() closes a run without an audit, and one without a record", async () => {
  for (const at of ["beforeItsWorkspace", "beforeItsFirstRecord"] as const) {
    using folder = freshFolder();
    await dead(folder.path, at);
    if (at === "beforeItsWorkspace") fs.rmSync(`${folder.path}/audit.jsonl`);
    const final = await recovered(folder.path);
    assert.equal(final["proposals"], 0);
    assert.deepEqual(final["audit"], {
      head: digestOf(fs.readFileSync(`${folder.path}/manifest.json`)),
      count: 0,
    });
  }
});

Deno.test("recoverRun() leaves a run alone that ended itself", async () => {
  using folder = freshFolder();
  const ended = await conductBaseline(unflushedFiles, folder.path);
  const before = contentsOf(folder.path);
  assert.deepEqual(await recoverLabRun(unflushedFiles, folder.path), {
    already: true,
    final: ended,
  });
  assert.deepEqual(contentsOf(folder.path), before);
});

Deno.test("recoverRun() refuses a folder without a manifest that it can read", async () => {
  using folder = freshFolder();
  await refused(folder.path, "no_manifest");
  await conductBaseline(unflushedFiles, folder.path);
  const path = `${folder.path}/manifest.json`;
  const manifest = fs.readFileSync(path, "utf8");
  for (
    const wrong of [
      "",
      "{}",
      "[]",
      manifest.slice(0, -3),
      manifest.replace('"format_version": 1', '"format_version": 2'),
      manifest.replace('"task"', '"tasks"'),
      `${manifest}${" ".repeat(128 * 1_024)}`,
    ]
  ) {
    fs.writeFileSync(path, wrong);
    await refused(folder.path, "no_manifest");
  }
  fs.writeFileSync(`${folder.path}/elsewhere`, manifest);
  fs.rmSync(path);
  fs.symlinkSync("elsewhere", path);
  assert.match(
    await refused(folder.path, "no_manifest"),
    /^manifest.json can't be taken: it isn't a regular file$/,
  );
});

Deno.test("recoverRun() refuses a task that it doesn't know", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  const path = `${folder.path}/manifest.json`;
  const manifest = fs.readFileSync(path, "utf8");
  fs.writeFileSync(path, manifest.replace('"lab16"', '"lab17"'));
  assert.match(await refused(folder.path, "unknown_task"), /"lab17"/);
});

Deno.test("recoverRun() refuses a run that is alive, with its start", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  const held = diskFiles.lock(`${folder.path}/audit.jsonl`);
  const { created } = JSON.parse(
    fs.readFileSync(`${folder.path}/manifest.json`, "utf8"),
  );
  const message = await refused(folder.path, "still_running");
  assert.ok(message.includes(created), message);
  held?.release();
  await recovered(folder.path);
});

Deno.test("recoverRun() releases the audit, whatever it finds", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  const path = `${folder.path}/audit.jsonl`;
  const audit = fs.readFileSync(path, "utf8");
  fs.writeFileSync(path, audit.replace('"event_id":2', '"event_id":3'));
  await refused(folder.path, "evidence_differs");
  const lock = diskFiles.lock(path);
  assert.notEqual(lock, null);
  lock?.release();
});

Deno.test("recoverRun() refuses an audit that was put there by a link", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  const path = `${folder.path}/audit.jsonl`;
  fs.linkSync(path, `${folder.path}/twin`);
  assert.match(await refused(folder.path, "evidence_differs"), /one link/);
  fs.rmSync(path);
  fs.symlinkSync("twin", path);
  assert.match(await refused(folder.path, "evidence_differs"), /regular/);
});

/** Changes one record's content and chains the later ones to it again. */
function forge(
  folder: string,
  event: string,
  change: (content: Record<string, unknown>) => void,
): number {
  const path = `${folder}/audit.jsonl`;
  let prev: string | null = null;
  let changed = 0;
  const lines = fs.readFileSync(path, "utf8").split("\n").slice(0, -1).map(
    (line) => {
      const record = JSON.parse(line);
      if (record.event === event && changed === 0) {
        change(record.content);
        changed = record.event_id;
      }
      const forged = canonicalJson({ ...record, prev: prev ?? record.prev });
      prev = digestOf(forged);
      return forged;
    },
  );
  fs.writeFileSync(path, `${lines.join("\n")}\n`);
  return changed;
}

Deno.test("recoverRun() refuses a chain that is whole and says what doesn't follow", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  const event = forge(folder.path, "edit_intent", (content) => {
    content["after"] = digestOf("forged");
  });
  assert.match(
    await refused(folder.path, "evidence_differs"),
    new RegExp(`event ${event} `),
  );
});

Deno.test("recoverRun() refuses another run's audit", async () => {
  using folder = freshFolder();
  using other = freshFolder();
  await dead(folder.path, "afterItsFirstIntent");
  await dead(other.path, "afterItsFirstIntent");
  fs.copyFileSync(
    `${other.path}/audit.jsonl`,
    `${folder.path}/audit.jsonl`,
  );
  assert.match(
    await refused(folder.path, "evidence_differs"),
    /line 1 of audit\.jsonl/,
  );
});

Deno.test("recoverRun() refuses a final report that it can't read", async () => {
  using folder = freshFolder();
  await dead(folder.path, "beforeItsFinalReport");
  const path = `${folder.path}/final.json`;
  for (const wrong of ["", "{}", "[1", "\xff"]) {
    fs.writeFileSync(path, wrong, "latin1");
    await refused(folder.path, "evidence_differs");
  }
  fs.rmSync(path);
  fs.symlinkSync("nowhere", path);
  await refused(folder.path, "evidence_differs");
});

Deno.test("recoverRun() publishes what an interrupted recovery had found", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  const whole = await recovered(folder.path);
  const path = `${folder.path}/recovery.jsonl`;
  const said = fs.readFileSync(path, "utf8");
  fs.rmSync(`${folder.path}/final.json`);
  assert.deepEqual(await recovered(folder.path), whole);
  assert.equal(fs.readFileSync(path, "utf8"), said);
});

Deno.test("recoverRun() refuses a recovery that no recovery wrote", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  await recovered(folder.path);
  fs.rmSync(`${folder.path}/final.json`);
  const path = `${folder.path}/recovery.jsonl`;
  const said = fs.readFileSync(path, "utf8");
  const lines = said.split("\n");
  for (
    const wrong of [
      "",
      said.slice(0, -1),
      `${said}x`,
      `${lines.slice(0, -2).join("\n")}\n`,
      said.replace('"reconciled":true', '"reconciled":false'),
      `${lines.slice(1).join("\n")}`,
    ]
  ) {
    fs.writeFileSync(path, wrong);
    const message = await refused(folder.path, "evidence_differs");
    assert.match(message, /recovery\.jsonl/);
  }
});

Deno.test("recoverRun() says nothing of files that it couldn't read", async () => {
  using folder = freshFolder();
  await dead(folder.path, "afterItsFirstRename");
  const before = contentsOf(folder.path);
  const files = {
    ...unflushedFiles,
    open: (path: string) => {
      const file = unflushedFiles.open(path);
      if (!path.endsWith("toy_math.py")) return file;
      const read = () => {
        throw Object.assign(new Error("bad sector"), { code: "EIO" });
      };
      return { ...file, read };
    },
  };
  await assert.rejects(() => recoverLabRun(files, folder.path), {
    code: "EIO",
  });
  assert.deepEqual(contentsOf(folder.path), before);
  assert.equal((await recovered(folder.path))["version"], 1);
});
