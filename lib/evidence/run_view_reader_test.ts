import assert from "node:assert/strict";
import { generation, REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import {
  recoverLabRun,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { CommandError } from "../system/command_error.ts";
import { sha256 } from "../system/sha256.ts";
import { canonicalJson } from "./audit_record.ts";
import { MAX_VIEWED_RECORDS, readRunView } from "./run_view_reader.ts";
import { RecoveryRefusal } from "./read_manifest.ts";
import type { RunView } from "./run_view.ts";

/** What a view says of each proposal, in short. */
function brief({ proposals }: RunView) {
  return proposals.map(({ number, records, answer, admitted }) => [
    number,
    records.map(({ event_id }) => event_id),
    admitted?.action["action"] ?? null,
    answer?.counts ?? null,
  ]);
}

Deno.test("readRunView() groups a whole run by its attempts", async () => {
  using run = await viewedRun(REPAIR.slice(0, 3));
  const view = run.view();
  assert.deepEqual(brief(view), [
    [1, [1, 2, 3, 4], "read", "valid"],
    [2, [5, 6, 7, 8], "test", "valid"],
    [3, [9, 10, 11, 12, 13, 14], "replace", "valid"],
    [4, [15, 16], null, null],
  ]);
  assert.deepEqual(
    [view.state, view.stop, view.findings, view.tail, view.recovery],
    ["complete", { reason: "cancelled", detail: null }, [], {
      kind: "clean",
    }, null],
  );
  assert.deepEqual(
    [view.opening, view.closing.map(({ event }) => event)],
    [[], ["loop_stopped", "final_evaluation", "times_measured", "run_ended"]],
  );
  assert.deepEqual(view.proposals[1]!.answer?.eventId, 8);
  assert.equal(view.proposals[3]!.attempt?.attempt.failed, "cancelled");
  assert.equal(view.final?.audit.count, view.audit.count);
});

Deno.test("readRunView() counts no attempt where the run stopped before a request", async () => {
  using run = await viewedRun([], {
    source: "model",
    loaded: { failed: "model_error", detail: "No", elapsed_ms: 1 },
  });
  const view = run.view();
  assert.deepEqual(
    [view.proposals, view.opening.map(({ event }) => event), view.stop],
    [[], ["model_loaded"], { reason: "model_error", detail: "No" }],
  );
});

Deno.test("readRunView() takes tokens from what the source told", async () => {
  using run = await viewedRun([
    generation(REPAIR[0], { input: 3, reused: 2, output: 1, ceiling: true }),
    { proposal_text: "", source_facts: { input_tokens: "3" } },
  ]);
  assert.deepEqual(run.view().proposals.map(({ tokens }) => tokens), [
    {
      input: 3,
      reused: 2,
      output: 1,
      ceilingReached: true,
      inputIds: [0, 1, 2],
      outputIds: [0],
    },
    null,
    null,
  ]);
});

Deno.test("readRunView() reads a run that is cut anywhere, with its torn tail", async () => {
  using run = await viewedRun(REPAIR);
  const path = `${run.folder}/audit.jsonl`;
  const bytes = Deno.readFileSync(path);
  Deno.removeSync(`${run.folder}/final.json`);
  for (let length = 0; length <= bytes.length; length += 509) {
    Deno.writeFileSync(path, bytes.subarray(0, length));
    const view = run.view();
    assert.deepEqual([view.state, view.findings], ["unfinished", []]);
    const whole = bytes.subarray(0, length).filter((byte) =>
      byte === 10
    ).length;
    assert.equal(view.audit.count, whole);
    const end = bytes.subarray(0, length).lastIndexOf(10) + 1;
    assert.deepEqual(
      view.tail.kind === "clean" ? 0 : view.tail.bytes,
      length - end,
    );
  }
  Deno.removeSync(path);
  assert.deepEqual(run.view().findings, [
    { file: "audit.jsonl", line: null, message: "it is missing" },
  ]);
});

Deno.test("readRunView() reads a recovered run", async () => {
  using run = await viewedRun(REPAIR);
  const path = `${run.folder}/audit.jsonl`;
  const lines = Deno.readTextFileSync(path).split("\n");
  Deno.writeTextFileSync(path, lines.slice(0, 10).join("\n") + "\n{");
  Deno.removeSync(`${run.folder}/final.json`);
  await recoverLabRun(unflushedFiles, run.folder);
  const view = run.view();
  assert.deepEqual(
    [view.state, view.findings, view.audit.count, view.tail.kind],
    ["recovered", [], 10, "torn"],
  );
  assert.deepEqual(view.recovered.map(({ event }) => event), [
    "tail_found",
    "workspace_found",
    "final_evaluation",
    "run_recovered",
  ]);
  assert.deepEqual(
    view.stop,
    { reason: "harness_error", detail: "process_died" },
  );
});

Deno.test("readRunView() finds what doesn't fit together", async () => {
  const found = async (spoil: (folder: string) => void) => {
    using run = await viewedRun(REPAIR);
    spoil(run.folder);
    return run.view().findings.map(({ file, line }) => [file, line]);
  };
  const edit =
    (name: string, change: (text: string) => string) => (folder: string) =>
      Deno.writeTextFileSync(
        `${folder}/${name}`,
        change(Deno.readTextFileSync(`${folder}/${name}`)),
      );
  assert.deepEqual(await found(edit("manifest.json", (text) => text + " ")), [
    ["audit.jsonl", 1],
  ]);
  assert.deepEqual(
    await found(
      edit(
        "audit.jsonl",
        (text) => text.split("\n").slice(0, -2).join("\n") + "\n",
      ),
    ),
    [["final.json", null]],
  );
  assert.deepEqual(
    await found(
      edit("final.json", (text) => text.replace('"passed": 8', '"passed": 7')),
    ),
    [["final.json", null]],
  );
  assert.deepEqual(await found(edit("final.json", () => "{")), [
    ["final.json", null],
  ]);
  assert.deepEqual(
    await found((folder) => {
      Deno.removeSync(`${folder}/final.json`);
      Deno.symlinkSync("manifest.json", `${folder}/final.json`);
    }),
    [["final.json", null]],
  );
  assert.deepEqual(
    await found((folder) =>
      Deno.linkSync(`${folder}/audit.jsonl`, `${folder}/again`)
    ),
    [["audit.jsonl", null]],
  );
});

Deno.test("readRunView() refuses a folder without a manifest, and an unknown task", async () => {
  using run = await viewedRun([]);
  const read = () =>
    readRunView({
      files: unflushedFiles,
      folder: run.folder,
      catalogueOf: () => null,
    });
  const reason = (expected: string) => (error: unknown) =>
    error instanceof RecoveryRefusal && error.reason === expected;
  assert.throws(read, reason("unknown_task"));
  Deno.removeSync(`${run.folder}/manifest.json`);
  assert.throws(read, reason("no_manifest"));
});

Deno.test("readRunView() quotes a task that it doesn't know", async () => {
  using run = await viewedRun([]);
  const path = `${run.folder}/manifest.json`;
  const manifest = JSON.parse(Deno.readTextFileSync(path));
  const task = '\x1b[2J"\nThe evidence holds.\u202e';
  Deno.writeTextFileSync(path, JSON.stringify({ ...manifest, task }));
  assert.throws(
    () => run.view(),
    (error) => {
      assert.ok(error instanceof CommandError);
      const quoted = '"\\\\u{1b}[2J\\"\\u{a}The evidence holds.\\u{202e}"';
      assert.ok(
        error.message.includes(`no task ${quoted.replaceAll("\\\\", "\\")}`),
        error.message,
      );
      return true;
    },
  );
});

/** Replaces a run's audit by this many records of one proposal, chained. */
function fill(folder: string, count: number): void {
  const manifest = Deno.readFileSync(`${folder}/manifest.json`);
  const audit = Deno.readTextFileSync(`${folder}/audit.jsonl`);
  const [first] = audit.split("\n");
  const record = JSON.parse(first!);
  let prev: string = sha256(manifest);
  const lines = Array.from({ length: count }, (_, at) => {
    const line = canonicalJson({ ...record, event_id: at + 1, prev });
    prev = sha256(line);
    return `${line}\n`;
  });
  Deno.writeTextFileSync(`${folder}/audit.jsonl`, lines.join(""));
}

Deno.test("readRunView() takes a bounded number of records, and of bytes", async () => {
  using run = await viewedRun([]);
  Deno.removeSync(`${run.folder}/final.json`);
  fill(run.folder, MAX_VIEWED_RECORDS);
  const full = run.view();
  assert.deepEqual(full.findings, []);
  assert.equal(full.proposals[0]?.records.length, MAX_VIEWED_RECORDS);
  fill(run.folder, MAX_VIEWED_RECORDS + 1);
  const { findings, proposals } = run.view();
  assert.deepEqual(findings, [{
    file: "audit.jsonl",
    line: MAX_VIEWED_RECORDS + 1,
    message: "it has over 4096 records: no run has",
  }]);
  assert.equal(proposals[0]?.records.length, MAX_VIEWED_RECORDS);
  Deno.truncateSync(`${run.folder}/audit.jsonl`, 2 ** 40);
  assert.deepEqual(run.view().findings, [{
    file: "audit.jsonl",
    line: null,
    message: "it has over 33554432 bytes: no run has",
  }]);
});

Deno.test("readRunView() repeats nothing of a recovery that no report closes", async () => {
  using run = await viewedRun(REPAIR.slice(0, 2));
  Deno.removeSync(`${run.folder}/final.json`);
  await recoverLabRun(unflushedFiles, run.folder);
  assert.notEqual(run.view().recovered.length, 0);
  Deno.removeSync(`${run.folder}/final.json`);
  assert.deepEqual(run.view().recovered, []);
});
