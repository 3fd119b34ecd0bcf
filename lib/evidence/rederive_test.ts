import assert from "node:assert/strict";
import {
  conductBaseline,
  freshFolder,
  openGate,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { labEvidence } from "../cli/lab_evidence.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Gate } from "../agent/gate.ts";
import { openWorkspace } from "../lab/workspace.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { diskFiles, type Files } from "../system/files.ts";
import { AuditReader } from "./audit_reader.ts";
import type { AuditRecord } from "./audit_record.ts";
import { runIdentity } from "./manifest.ts";
import { readManifest } from "./read_manifest.ts";
import { rederive, type Rederived } from "./rederive.ts";

/** Files that may not be asked: what is derived follows from the facts alone. */
const noFiles = new Proxy({} as Files, {
  get: (_, operation) => () => {
    throw new Error(`The disk was asked: ${String(operation)}`);
  },
});

const evidence = labEvidence(openWorkspace(noFiles, "/nowhere"));

/** A run of the lab's task: its records, and how to derive others like them. */
async function run(
  changes: Parameters<typeof conductBaseline>[2] = {},
  tamper: (folder: string) => void = () => {},
) {
  using folder = freshFolder();
  const { source = undefined } = changes;
  const final = await conductBaseline(unflushedFiles, folder.path, {
    ...changes,
    ...(source === undefined ? {} : {
      source: {
        propose: (request, gate) => {
          if (request.proposalNumber === 2) tamper(folder.path);
          return source.propose(request, gate);
        },
      },
    }),
  });
  const { manifest, digest } = readManifest(diskFiles, folder.path);
  const file = diskFiles.open(`${folder.path}/audit.jsonl`);
  const first = { head: digest, count: 0 };
  const { catalogue } = evidence;
  const records = [
    ...new AuditReader(file, manifest.run_id, catalogue, first),
  ];
  file.close();
  const identity = runIdentity(manifest);
  return {
    final,
    records,
    derive: (some: Iterable<AuditRecord>): Promise<Rederived> =>
      rederive(some, identity, evidence),
  };
}

function contentOf(final: JsonObject): JsonObject {
  const { format: _f, format_version: _v, audit: _a, ...content } = final;
  return content;
}

Deno.test("rederive() makes a whole baseline of its facts, without the disk", async () => {
  const { final, records, derive } = await run();
  assert.deepEqual(await derive(records), {
    kind: "complete",
    final: contentOf(final),
  });
});

Deno.test("rederive() ends early after every record but the last", async () => {
  const { records, derive } = await run();
  for (let kept = 0; kept < records.length; kept++) {
    const derived = await derive(records.slice(0, kept));
    assert.ok(derived.kind === "ended_early", `${kept} records`);
    const seen = records.slice(0, kept);
    const asked = seen.filter(({ event }) => event === "request_assembled");
    assert.equal(derived.progress.proposals, asked.length);
    const stopped = seen.some(({ event }) => event === "loop_stopped");
    assert.equal(derived.progress.stop, stopped ? "finish_accepted" : null);
  }
});

Deno.test("rederive() finds every derived record that says something else", async () => {
  const { records, derive } = await run();
  for (const [index, record] of records.entries()) {
    if (record.kind === "fact") continue;
    const content = { ...record.content, invented: true };
    const derived = await derive(records.with(index, { ...record, content }));
    assert.ok(derived.kind === "diverged");
    assert.equal(derived.divergence.found?.event_id, record.event_id);
    assert.deepEqual(derived.divergence.expected, {
      event: record.event,
      proposal_number: record.proposal_number,
      content: record.content,
    });
  }
});

Deno.test("rederive() finds records that no run makes after its end", async () => {
  const { records, derive } = await run();
  const extra = { ...records.at(-1) as AuditRecord, event_id: 33 };
  const derived = await derive([...records, extra]);
  assert.ok(derived.kind === "diverged");
  assert.equal(derived.divergence.found?.event_id, 33);
});

Deno.test("rederive() throws what kept it from reading the records", async () => {
  const { records, derive } = await run();
  const error = new Error("bad sector");
  for (const readable of [0, 1, 12, 30]) {
    await assert.rejects(
      () =>
        derive(function* () {
          yield* records.slice(0, readable);
          throw error;
        }()),
      error,
    );
  }
});

const READ = '{"action":"read","file":"toy_math.py"}';

Deno.test("rederive() makes runs of facts that are there only sometimes", async () => {
  const stopping = (after: number): Gate => {
    let asked = 0;
    return { ...openGate, stop: () => asked++ < after ? null : "cancelled" };
  };
  const stops = new Set<unknown>();
  for (let after = 0; after < 20; after++) {
    const { final, records, derive } = await run({ gate: stopping(after) });
    assert.deepEqual(await derive(records), {
      kind: "complete",
      final: contentOf(final),
    });
    stops.add(`${final["stop_reason"]} after ${final["proposals"]}`);
  }
  // Three questions a proposal, one more at each of the two edits.
  assert.equal(stops.size, 7);
});

Deno.test("rederive() makes a run whose file was changed from outside", async () => {
  const { final, records, derive } = await run(
    { source: scriptedSource([READ, READ]) },
    (folder) =>
      Deno.writeTextFileSync(`${folder}/workspace/toy_math.py`, "changed"),
  );
  assert.equal(final["stop_reason"], "workspace_conflict");
  assert.deepEqual(await derive(records), {
    kind: "complete",
    final: contentOf(final),
  });
});

Deno.test("rederive() makes a run whose source threw", async () => {
  const { final, records, derive } = await run({
    source: {
      propose: ({ proposalNumber }) =>
        proposalNumber === 1
          ? Promise.resolve({ proposal_text: READ, elapsed_ms: 0 })
          : Promise.reject(new RangeError("not for anyone")),
    },
  });
  assert.equal(final["stop_reason"], "harness_error");
  assert.equal(final["detail"], "RangeError");
  assert.deepEqual(await derive(records), {
    kind: "complete",
    final: contentOf(final),
  });
});
