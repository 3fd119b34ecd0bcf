// Copies of a run altered by somebody who knows the format: the change is
// followed by a new chain, and by a final report that closes it.

import type { JsonObject } from "../lib/agent/json.ts";
import { inputDigest } from "../lib/model/proposal_facts.ts";
import type { RunFiles } from "./memory_files.ts";
import {
  alteredFields,
  chainAnew,
  linesOf,
  type Mutant,
  parsed,
} from "./mutants.ts";

/** Every mutant of a run whose chain was made anew. */
export function* chainMutants(run: RunFiles): Generator<Mutant, void> {
  yield* recordMutants(run, "audit.jsonl", "audit");
  if (run.has("recovery.jsonl")) {
    yield* recordMutants(run, "recovery.jsonl", "recovery");
  }
  const manifest = objectIn(run, "manifest.json");
  for (const { path, change, value } of alteredFields(manifest)) {
    yield {
      forgery: "chain",
      file: "manifest.json",
      event: "*",
      field: path,
      change,
      make: () => chainAnew(run, { manifest: value }),
    };
  }
  yield* relabelled(run);
  yield* otherModels(run);
}

/** The object of a JSON file. */
export function objectIn(run: RunFiles, name: string): JsonObject {
  return JSON.parse(new TextDecoder().decode(run.get(name)!)) as JsonObject;
}

function* recordMutants(
  run: RunFiles,
  file: string,
  chain: "audit" | "recovery",
): Generator<Mutant, void> {
  const records = parsed(linesOf(run.get(file)!).lines);
  for (const [index, record] of records.entries()) {
    const mutant = (
      field: string,
      change: string,
      altered: readonly JsonObject[],
    ): Mutant => ({
      forgery: "chain",
      file,
      event: String(record["event"]),
      field,
      change,
      make: () => chainAnew(run, { [chain]: altered }),
    });
    yield mutant("record", "delete", records.toSpliced(index, 1));
    yield mutant("record", "duplicate", records.toSpliced(index, 0, record));
    yield mutant("record", "cut here", records.slice(0, index));
    const next = records[index + 1];
    if (next !== undefined) {
      const swapped = records.toSpliced(index, 2, next, record);
      yield mutant("record", "swap", swapped);
    }
    for (const [change, inserted] of INSERTED) {
      const other = { ...record, ...inserted } as JsonObject;
      yield mutant("record", change, records.toSpliced(index, 0, other));
    }
    const told = otherInput(record);
    if (told !== null) {
      yield mutant(
        "content.source_facts.input_ids and their digest",
        "another id",
        records.toSpliced(index, 1, told),
      );
    }
    for (const { path, change, value } of alteredFields(record)) {
      if (path === "event_id" || path === "prev") continue;
      yield mutant(path, change, records.toSpliced(index, 1, value));
    }
  }
}

/** A generation from another last token, with the digest that it has. */
function otherInput(record: JsonObject): JsonObject | null {
  const content = record["content"] as JsonObject;
  const told = content["source_facts"] as JsonObject | undefined;
  const ids = told?.["input_ids"] as number[] | undefined;
  if (ids === undefined) return null;
  const input_ids = ids.with(-1, ids.at(-1)! + 1);
  const source_facts = {
    ...told,
    input_ids,
    input_sha256: inputDigest(input_ids),
  };
  return { ...record, content: { ...content, source_facts } };
}

/** Facts that a forger might slip in, without deriving what follows. */
const INSERTED: readonly (readonly [string, JsonObject])[] = [
  ["insert stop", {
    kind: "fact",
    event: "stop_requested",
    at: "before_request",
    content: { stop: "cancelled" },
  }],
  ["insert change", {
    kind: "fact",
    event: "file_changed",
    at: "before_dispatch",
    content: { file: "TASK.txt", finding: "missing", sha256: null },
  }],
  ["insert fault", {
    kind: "fact",
    event: "harness_fault",
    at: "loop",
    content: { error: "Error", message: "Error" },
  }],
  ["insert count", {
    kind: "fact",
    event: "tokens_counted",
    at: "assembly",
    content: { tokens: 1 },
  }],
  ["insert receipt", {
    kind: "derived",
    event: "edit_committed",
    at: null,
    content: { version: 1, sha256: "0".repeat(64), reconciled: false },
  }],
];

/** What every file says of the run, changed in all of them alike. */
function* relabelled(run: RunFiles): Generator<Mutant, void> {
  const runId = crypto.randomUUID();
  const labels: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ["run_id", { run_id: runId }, { run_id: runId }],
    ...["scripted", "stdio", "model", "recorded"].map((source) =>
      [
        `proposal_source ${source}`,
        { proposal_source: source },
        { source },
      ] as const
    ),
    ["extension", { extension: "Another" }, { extension: "Another" }],
    ["extension null", { extension: null }, { extension: null }],
    ["core_trial", { core_trial: true }, { core_trial: true }],
    ["core_trial false", { core_trial: false }, { core_trial: false }],
    [
      "core_trial as extension",
      { core_trial: false, extension: "Another" },
      { core_trial: false, extension: "Another" },
    ],
    [
      "extension as core_trial",
      { core_trial: true, extension: null },
      { core_trial: true, extension: null },
    ],
  ];
  for (const [field, inManifest, inRecords] of labels) {
    const manifest = { ...objectIn(run, "manifest.json"), ...inManifest };
    const relabel = (name: string) =>
      run.has(name)
        ? parsed(linesOf(run.get(name)!).lines).map((record) =>
          relabelRecord(record, inRecords)
        )
        : [];
    const recovery = relabel("recovery.jsonl");
    yield {
      forgery: "chain",
      file: "*",
      event: "*",
      field,
      change: "everywhere",
      make: () =>
        chainAnew(run, {
          manifest,
          audit: relabel("audit.jsonl"),
          ...(recovery.length === 0 ? {} : { recovery }),
        }),
    };
  }
}

/** A model's name, and its weights' digest, changed wherever they stand. */
function* otherModels(run: RunFiles): Generator<Mutant, void> {
  const manifest = objectIn(run, "manifest.json");
  const model = manifest["model"] as JsonObject | null;
  if (model === null) return;
  const files = model["files"] as readonly JsonObject[];
  const weights = files.find(({ name }) => name === "model.safetensors");
  for (
    const [field, from] of [
      ["model.label", model["label"]],
      ["model.weights", weights?.["sha256"]],
    ] as const
  ) {
    const to = field === "model.label" ? "another" : "0".repeat(64);
    const replaced = (value: JsonObject): JsonObject =>
      JSON.parse(JSON.stringify(value).replaceAll(`"${from}"`, `"${to}"`));
    yield {
      forgery: "chain",
      file: "*",
      event: "*",
      field,
      change: "everywhere",
      make: () =>
        chainAnew(run, {
          manifest: replaced(manifest),
          audit: parsed(linesOf(run.get("audit.jsonl")!).lines).map(replaced),
        }),
    };
  }
}

function relabelRecord(record: JsonObject, labels: JsonObject): JsonObject {
  const own = Object.fromEntries(
    Object.entries(labels).filter(([key]) => key in record),
  );
  const content = record["content"] as JsonObject;
  const closes = ["run_ended", "run_recovered"].includes(
    String(record["event"]),
  );
  return {
    ...record,
    ...own,
    content: closes ? { ...content, ...labels } : content,
  };
}
