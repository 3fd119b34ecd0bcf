import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import { CommandError } from "../system/command_error.ts";
import type { Files } from "../system/files.ts";
import {
  MEMORY_FOLDER,
  memoryFiles,
  readRunFiles,
  type RunFiles,
} from "../../tests/memory_files.ts";
import { chainAnew, linesOf, parsed } from "../../tests/mutants.ts";
import { REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import { systemError } from "../../tests/watched_files.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { verifyFolder } from "./verify.ts";

/** A finished run's files. */
async function made(): Promise<RunFiles> {
  using run = await viewedRun(REPAIR);
  return readRunFiles(run.folder);
}

/** The files with the records of one event altered, and chained anew. */
function forged(
  files: RunFiles,
  event: string,
  alter: (content: JsonObject) => JsonObject,
): Map<string, Uint8Array> {
  const audit = parsed(linesOf(files.get("audit.jsonl")!).lines)
    .map((record) =>
      record["event"] === event
        ? { ...record, content: alter(record["content"] as JsonObject) }
        : record
    );
  return new Map(chainAnew(files, { audit }));
}

/** Without its final report, and cut after this many records. */
function unfinished(files: RunFiles, records = Infinity): RunFiles {
  const { lines } = linesOf(files.get("audit.jsonl")!);
  const kept = lines.slice(0, records).map((line) => `${line}\n`).join("");
  const cut = new Map(files);
  cut.set("audit.jsonl", new TextEncoder().encode(`${kept}{"torn`));
  cut.delete("final.json");
  return cut;
}

const findingsOf = async (files: Files) =>
  (await openCheckedView(files, MEMORY_FOLDER)).findings;

Deno.test("openCheckedView() verifies the bytes that it shows, and no others", async () => {
  const good = await made();
  // Passes every check that a view makes by itself.
  const bad = forged(good, "run_ended", (content) => ({
    ...content,
    proposals: 5,
  }));
  assert.deepEqual(await findingsOf(memoryFiles(good)), []);
  assert.equal((await findingsOf(memoryFiles(bad))).length, 1);
  // The folder is swapped once its manifest was read for the nth time.
  for (const [first, then] of [[bad, good], [good, bad]] as const) {
    let manifests = 0;
    const [one, other] = [memoryFiles(first), memoryFiles(then)];
    const now = () => manifests > 1 ? other : one;
    const flipped: Files = {
      ...one,
      facts: (path) => now().facts(path),
      list: (path) => now().list(path),
      open: (path) => {
        if (path.endsWith("/manifest.json")) manifests++;
        return now().open(path);
      },
    };
    const findings = await findingsOf(flipped);
    assert.ok(manifests > 1);
    assert.equal(findings.length, 1);
    if (first === bad) {
      assert.deepEqual(findings, [{
        file: "final.json",
        line: null,
        message: "It was changed while it was read",
      }]);
    }
  }
});

Deno.test("openCheckedView() derives an unfinished run as far as it goes", async () => {
  const good = await made();
  for (const records of [1, 9, 16, Infinity]) {
    const files = memoryFiles(unfinished(good, records));
    const view = await openCheckedView(files, MEMORY_FOLDER);
    assert.deepEqual([view.state, view.findings], ["unfinished", []]);
    assert.equal(view.tail.kind, "torn");
  }
});

Deno.test("openCheckedView() finds what an unfinished run only claims", async () => {
  const good = await made();
  const claims: [string, (content: JsonObject) => JsonObject][] = [
    ["observation_made", ({ counts }) => ({
      counts: counts!,
      observation: { ok: true, action: "test", cases: [{}] },
    })],
    ["loop_stopped", (content) => ({ ...content, stop_reason: "cancelled" })],
    ["proposal_received", (content) => ({ ...content, proposal_text: "x" })],
  ];
  for (const [event, alter] of claims) {
    const files = memoryFiles(unfinished(forged(good, event, alter)));
    const [finding] = await findingsOf(files);
    assert.equal(finding?.file, "audit.jsonl", event);
  }
  const manifest = JSON.parse(
    new TextDecoder().decode(good.get("manifest.json")!),
  );
  const prompt = { ...manifest.prompt, contract: "another" };
  const other = chainAnew(good, { manifest: { ...manifest, prompt } });
  const [finding] = await findingsOf(memoryFiles(unfinished(other)));
  assert.equal(finding?.file, "manifest.json");
});

Deno.test("openCheckedView() lets an unfinished run go on while it is read", async () => {
  const good = await made();
  const [before, after] = [9, 20].map((records) =>
    memoryFiles(unfinished(good, records))
  );
  let audits = 0;
  const growing: Files = {
    ...before!,
    open: (path) => {
      const is = path.endsWith("/audit.jsonl");
      return (is && ++audits > 1 ? after! : before!).open(path);
    },
  };
  const view = await openCheckedView(growing, MEMORY_FOLDER);
  assert.deepEqual([audits, view.audit.count, view.findings], [2, 9, []]);
});

Deno.test("openCheckedView() finds an unfinished run whose records were changed meanwhile", async () => {
  const good = await made();
  const other = forged(good, "proposal_received", (content) => ({
    ...content,
    elapsed_ms: 2,
  }));
  const [one, two] = [good, other].map((files) =>
    memoryFiles(unfinished(files, 9))
  );
  let audits = 0;
  const swapped: Files = {
    ...one!,
    open: (path) => {
      const is = path.endsWith("/audit.jsonl");
      return (is && ++audits > 1 ? two! : one!).open(path);
    },
  };
  assert.deepEqual(await findingsOf(swapped), [{
    file: "audit.jsonl",
    line: null,
    message: "It was changed while it was read",
  }]);
});

Deno.test("openCheckedView() and verifyFolder() refuse what may not be read, and call a broken disk a fault", async () => {
  const good = memoryFiles(await made());
  for (const name of ["manifest.json", "audit.jsonl"]) {
    for (const [code, exitCode] of [["EACCES", 3], ["EIO", 5]] as const) {
      const files: Files = {
        ...good,
        open: (path) => {
          if (path.endsWith(`/${name}`)) throw systemError(code);
          return good.open(path);
        },
      };
      for (const read of [openCheckedView, verified]) {
        await assert.rejects(
          async () => await read(files, MEMORY_FOLDER),
          (error: unknown) =>
            error instanceof CommandError && error.exitCode === exitCode &&
            error.message.split("\n").length === 2,
          `${name} ${code}`,
        );
      }
    }
  }
});

const verified = (files: Files, folder: string) =>
  verifyFolder(files, folder, folder);

Deno.test("madeOfViews() tells of content that fits into no words, and hides no other fault", async () => {
  const good = await openCheckedView(memoryFiles(await made()), MEMORY_FOLDER);
  const finding = { file: "audit.jsonl", line: 3, message: "It isn't\x9b so" };
  const bad = { ...good, findings: [finding] };
  const fail = () => {
    throw new TypeError("no words");
  };
  assert.throws(
    () => madeOfViews([{ view: good, typed: "a" }], fail),
    TypeError,
  );
  assert.throws(
    () =>
      madeOfViews([
        { view: good, typed: "a" },
        { view: bad, typed: "b c" },
      ], fail),
    (error) => {
      assert.ok(error instanceof CommandError);
      assert.equal(error.exitCode, 4);
      assert.equal(
        error.message,
        'Cannot show the run "b c": its evidence doesn\'t hold: audit.jsonl, ' +
          "line 3: It isn't\\u{9b} so.\nSee: tinycoder verify 'b c'",
      );
      return true;
    },
  );
  assert.equal(madeOfViews([{ view: bad, typed: "b" }], () => 1), 1);
});
