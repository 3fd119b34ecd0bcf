// Commands of the program that read or write files, and what each needs before
// it begins.

import * as fs from "node:fs";
import { copyTinyModel, TINY_TRIAL } from "./binary_run.ts";
import { testCheckpoint } from "./fake_hub/checkpoint.ts";
import type { WatchedCommand } from "./injected_faults.ts";

/** A command that is to meet faults. */
export interface FaultyCommand extends Omit<WatchedCommand, "cwd"> {
  readonly name: string;
  /** Other commands that make what it needs, in the same folder. */
  readonly before: readonly (readonly string[])[];
  /** Makes the rest of it. */
  readonly prepare?: (folder: string) => void;
  /** Its exit code where nothing fails. */
  readonly whole: number;
  /** What it makes: a run's folder, or files; each is whole or not there. */
  readonly makes: readonly string[];
}

const RUN_NAMES = [
  "",
  ...["manifest.json", "audit.jsonl", "recovery.jsonl", "final.json"].flatMap(
    (name) => [`/${name}`, `/${name}.part`],
  ),
  ...["", "TASK.txt", "toy_math.py"].map((name) => `/workspace/${name}`),
  ...[1, 2].map((version) => `/workspace/.toy_math.py.v${version}.tmp`),
  ...["", "toy_math.py.v0", "toy_math.py.v1"].map((name) => `/backups/${name}`),
  "/attestation.json",
].map((name) => name.replace(/\/$/, ""));

/** Every path of a run's folder. */
const runPaths = (run: string) => RUN_NAMES.map((name) => run + name);

const BASELINE = ["--run", "run", "--quiet"];
const TINY_FILES = [
  "config.json",
  "generation_config.json",
  "model.safetensors",
  "tokenizer.json",
  "tokenizer_config.json",
];

const CHECKPOINT = testCheckpoint({
  "config.json": 659,
  "tokenizer.json": 5_000,
  "tokenizer_config.json": 300,
  "model.safetensors": 3 * 1024 * 1024 + 1,
});
/** Names of the files that the acquisition brings. */
export const CHECKPOINT_FILES: readonly string[] = [
  ...CHECKPOINT.contents.keys(),
];

const written = (
  name: string,
  args: readonly string[],
  out: string,
  before: FaultyCommand["before"] = [BASELINE],
): FaultyCommand => ({
  name,
  before,
  args: [...args, "--out", out],
  paths: [...runPaths("run"), out, `.${out}.part`, "."],
  whole: 0,
  makes: [out],
});

/** The commands of the sweep. */
export const FAULTY_COMMANDS: readonly FaultyCommand[] = [
  {
    name: "baseline",
    before: [],
    args: BASELINE,
    paths: runPaths("run"),
    whole: 0,
    makes: ["run"],
  },
  {
    name: "cancelled",
    before: [],
    args: [...BASELINE, "--source", "stdio"],
    paths: runPaths("run"),
    whole: 130,
    makes: ["run"],
  },
  {
    name: "recover",
    before: [BASELINE],
    prepare: die,
    args: ["recover", "run", "--json"],
    paths: runPaths("run"),
    whole: 0,
    makes: ["run"],
  },
  {
    name: "trial",
    before: [],
    prepare: copyTinyModel,
    args: [...TINY_TRIAL, "--quiet"],
    paths: [
      ...runPaths("trial"),
      "tiny",
      ...TINY_FILES.map((name) => `tiny/${name}`),
      "tiny.json",
    ],
    whole: 0,
    makes: ["trial"],
  },
  {
    name: "acquire",
    before: [],
    prepare: declareCheckpoint,
    args: [
      ...["acquire", "--directory", "model", "--from", "files"],
      ...["--checkpoint", "it.json", "--yes", "--quiet"],
    ],
    paths: [
      "it.json",
      "files",
      ...CHECKPOINT_FILES.map((name) => `files/${name}`),
      "model",
      ...[...CHECKPOINT_FILES, "acquisition.json"].flatMap((name) => [
        `model/${name}`,
        `model/${name}.part`,
      ]),
    ],
    whole: 0,
    makes: ["model"],
  },
  {
    name: "verify",
    before: [BASELINE],
    args: ["verify", "run"],
    paths: runPaths("run"),
    whole: 0,
    makes: [],
  },
  {
    name: "show",
    before: [BASELINE],
    args: ["show", "run"],
    paths: runPaths("run"),
    whole: 0,
    makes: [],
  },
  {
    name: "replay",
    before: [BASELINE],
    args: ["replay", "run", "--run", "again"],
    paths: [...runPaths("run"), ...runPaths("again")],
    whole: 0,
    makes: ["again"],
  },
  {
    name: "sign",
    before: [BASELINE, ["keygen", "key"]],
    args: ["sign", "run", "--key", "key"],
    paths: [...runPaths("run"), "key"],
    whole: 0,
    makes: ["run"],
  },
  {
    name: "keygen",
    before: [],
    args: ["keygen", "key"],
    paths: ["key", "key.pub", "."],
    whole: 0,
    makes: ["key", "key.pub"],
  },
  {
    name: "predict",
    before: [],
    args: [
      ...["predict", "--valid-json", "yes", "--both-repaired", "no"],
      ...["--fails-first", "format", "--baseline-passes", "yes"],
      ...["--forbidden", "It is refused"],
    ],
    paths: ["predictions.json", "predictions.json.part", "."],
    whole: 0,
    makes: ["predictions.json"],
  },
  written("report", ["report", "run"], "run.html"),
  written("export", ["export", "run", "--format", "atif"], "run.json"),
  written("compare", ["compare", "run", "run"], "both.html"),
  written("submission", ["submission", "run"], "submission.md"),
];

/** Puts a checkpoint's files into a folder, and declares them. */
function declareCheckpoint(folder: string): void {
  const { declaration, contents } = CHECKPOINT;
  fs.writeFileSync(`${folder}/it.json`, JSON.stringify(declaration));
  fs.mkdirSync(`${folder}/files`);
  for (const [name, bytes] of contents) {
    fs.writeFileSync(`${folder}/files/${name}`, bytes);
  }
}

/** Cuts a run within the record after its last intent, as a kill would. */
function die(folder: string): void {
  const path = `${folder}/run/audit.jsonl`;
  const audit = fs.readFileSync(path, "utf8");
  const intent = audit.lastIndexOf('"event":"edit_intent"');
  fs.truncateSync(path, audit.indexOf("\n", intent) + 101);
  fs.rmSync(`${folder}/run/final.json`);
}
