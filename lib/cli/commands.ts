// The table of commands.

import type { Command } from "./command.ts";
import { SCHEMA_NAMES } from "./schema_names.ts";

const json = {
  flags: "--json",
  description: "print the result as JSON",
} as const;

const checkpoint = {
  flags: "--checkpoint <FILE>",
  description: "the manifest of another checkpoint than the pinned one",
} as const;

const run = { name: "RUN", description: "a run's folder" } as const;

/** Every command; the run itself comes first and has no word of its own. */
export const COMMANDS: readonly Command[] = [
  {
    name: "",
    summary: "Run a tiny coding agent under a closed contract, and keep " +
      "evidence of every step.",
    options: [
      {
        flags: "--run <DIR>",
        description: "conduct one run in a fresh folder DIR",
      },
      {
        flags: "--source <NAME>",
        description: "where proposals come from",
        choices: ["scripted", "stdio"],
      },
      {
        flags: "--model-directory <DIR>",
        description: "a trial: proposals come from the model in DIR",
      },
      checkpoint,
      {
        flags: "--extension <TEXT>",
        description:
          "declare what this trial changes; it is then no core trial",
      },
      { flags: "--yes", description: "agree to what a trial would show" },
      {
        flags: "--require-success",
        description: "exit with 1 unless the run is a verified success",
      },
      { flags: "--quiet", description: "show no progress" },
      json,
    ],
    examples: ["tinycoder --run baseline"],
    keeps: ["read", "write", "sys", "ffi", "env"],
    makesFolder: true,
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "plan",
    summary:
      "print what an acquisition would bring, from where, and its limits",
    options: [checkpoint, json],
    examples: ["tinycoder plan"],
    keeps: ["read"],
    load: async () => (await import("./plan.ts")).plan,
  },
  {
    name: "acquire",
    summary: "bring the model's files here, after a yes; verified, resumable",
    options: [
      { flags: "--directory <DIR>", description: "the model's folder" },
      {
        flags: "--from <DIR>",
        description: "copy and verify files that you have already",
      },
      checkpoint,
      { flags: "--yes", description: "agree to what would be asked" },
      { flags: "--quiet", description: "show no progress" },
      json,
    ],
    examples: [
      "tinycoder acquire --directory qwen",
      "tinycoder acquire --directory qwen --from downloads",
    ],
    keeps: ["read", "write", "net", "sys"],
    makesFolder: true,
    load: async () => (await import("./acquire.ts")).acquire,
  },
  {
    name: "doctor",
    summary: "say what would stop a trial on this machine",
    options: [
      {
        flags: "--model-directory <DIR>",
        description: "look at this model folder too",
      },
      checkpoint,
      json,
    ],
    examples: ["tinycoder doctor"],
    // It tries each right, and so must have them all.
    keeps: ["read", "write", "net", "ffi", "env", "sys"],
    makesFolder: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "predict",
    summary: "record the five predictions, before anything runs",
    options: [
      {
        flags: "--valid-json <A>",
        description: "will the first attempt be valid JSON",
      },
      {
        flags: "--both-repaired <A>",
        description: "will both functions be repaired within six proposals",
      },
      {
        flags: "--fails-first <A>",
        description: "what fails first: format, version or arithmetic",
      },
      {
        flags: "--baseline-passes <A>",
        description: "can the baseline pass where the model fails",
      },
      {
        flags: "--forbidden <TEXT>",
        description: "what happens to an import or a path outside",
      },
      {
        flags: "--again",
        description: "supersede earlier predictions; both are kept",
      },
      json,
    ],
    examples: ["tinycoder predict"],
    keeps: ["read", "write"],
    makesFolder: true,
    load: async () => (await import("./predict.ts")).predict,
  },
  {
    name: "show",
    summary: "show a run: a line for each proposal, and how it ended",
    operands: [run],
    options: [
      { flags: "--full", description: "with prompts and raw proposals" },
      json,
    ],
    examples: ["tinycoder show baseline"],
    keeps: ["read"],
    load: async () => (await import("./show.ts")).show,
  },
  {
    name: "recover",
    summary: "close the evidence of a run whose process died",
    details: "The audit stays as it is. What was found goes into " +
      "recovery.jsonl, and a final report that never claims success closes " +
      "the run. A run that has its final report is left as it is.",
    operands: [run],
    options: [json],
    examples: ["tinycoder recover baseline"],
    keeps: ["read", "write"],
    load: async () => (await import("./recover.ts")).recover,
  },
  {
    name: "check",
    summary: "judge expressions and sources, one JSON line each, from stdin",
    details: 'A line is {"function","expr","inputs"?} or {"source"}. ' +
      "The answers let anyone compare the boundary with a real Python.",
    examples: [
      `echo '{"function":"clamp","expr":"x + 1","inputs":[1,0,5]}' | ` +
      "tinycoder check",
    ],
    keeps: [],
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "contract",
    summary: "print the closed contract, or judge whole proposals by it",
    options: [
      {
        flags: "--check",
        description:
          'judge proposals from stdin, a line {"proposal_base64"} each',
      },
      { flags: "--json-schema", description: "print it as JSON Schema" },
    ],
    examples: [
      "tinycoder contract",
      `echo '{"proposal_base64":"eyJhY3Rpb24iOiJ0ZXN0In0="}' | ` +
      "tinycoder contract --check",
    ],
    keeps: [],
    load: async () => (await import("./contract.ts")).contract,
  },
  {
    name: "schema",
    summary: "print the JSON Schema of an evidence format",
    operands: [{
      name: "NAME",
      description: "the format",
      choices: SCHEMA_NAMES,
    }],
    examples: ["tinycoder schema final"],
    keeps: [],
    load: async () => (await import("./schema.ts")).schema,
  },
  {
    name: "selftest",
    summary: "run the harness's negative checks in a fresh folder",
    options: [
      { flags: "--keep", description: "keep the folder of the checks" },
      json,
    ],
    examples: ["tinycoder selftest"],
    keeps: ["read", "write"],
    makesFolder: true,
    load: async () => (await import("./selftest.ts")).selftest,
  },
  {
    name: "report",
    summary: "make one HTML page of a run",
    operands: [{ name: "RUN", description: "the run's folder" }],
    options: [
      { flags: "--out <FILE>", description: "write the page to FILE" },
      { flags: "--force", description: "replace FILE if it exists" },
    ],
    examples: ["tinycoder report baseline --out baseline.html"],
    keeps: ["read", "write"],
    load: async () => (await import("./report.ts")).report,
  },
  {
    name: "verify",
    summary: "derive a run again from its evidence, and compare",
    details: "Reads the run's folder and nothing else; writes nothing. Exits " +
      "with 0 only if everything holds, else with 4 and the first difference.",
    operands: [run],
    options: [
      {
        flags: "--public-key <FILE>",
        description: "check the run's signature too",
      },
      json,
    ],
    examples: [
      "tinycoder verify baseline",
      "tinycoder verify baseline --public-key signer.pub",
    ],
    keeps: ["read"],
    load: async () => (await import("./verify.ts")).verify,
  },
  {
    name: "replay",
    summary:
      "tell today's controller what an earlier run was told, and compare",
    details: "Proposals, token counts, stop words, and what the files were " +
      "found to be, come from the record; every check, decision, edit and " +
      "evaluation is done again in the new folder. Exits with 4 at the first " +
      "divergence.",
    operands: [run],
    options: [
      {
        flags: "--run <DIR>",
        description: "conduct the replay in a fresh folder DIR",
        required: true,
      },
      json,
    ],
    examples: ["tinycoder replay baseline --run again"],
    keeps: ["read", "write", "sys"],
    makesFolder: true,
    load: async () => (await import("./replay.ts")).replay,
  },
  {
    name: "keygen",
    summary: "make a pair of Ed25519 keys: KEY and KEY.pub",
    operands: [{ name: "KEY", description: "the private key's file" }],
    options: [json],
    examples: ["tinycoder keygen signer"],
    keeps: ["read", "write"],
    makesFolder: true,
    load: async () => (await import("./keygen.ts")).keygen,
  },
  {
    name: "sign",
    summary: "sign a run that verifies",
    details: "Writes attestation.json into the run's folder: a DSSE envelope " +
      "around an in-toto statement over every file of the run.",
    operands: [run],
    options: [
      {
        flags: "--key <FILE>",
        description: "the private key that signs",
        required: true,
      },
      json,
    ],
    examples: ["tinycoder sign baseline --key signer"],
    keeps: ["read", "write"],
    load: async () => (await import("./sign.ts")).sign,
  },
  {
    name: "compare",
    summary: "put two runs side by side; with --out as an HTML page",
    operands: [
      { name: "BASELINE", description: "the first run's folder" },
      { name: "TRIAL", description: "the second run's folder" },
    ],
    options: [
      { flags: "--out <FILE>", description: "write the result to FILE" },
      { flags: "--force", description: "replace FILE if it exists" },
      json,
    ],
    examples: [
      "tinycoder compare baseline trial",
      "tinycoder compare baseline trial --out comparison.html",
    ],
    keeps: ["read", "write"],
    load: async () => (await import("./compare.ts")).compare,
  },
  {
    name: "export",
    summary: "export a run in another tool's format",
    operands: [{ name: "RUN", description: "the run's folder" }],
    options: [
      {
        flags: "--format <NAME>",
        description: "the format: an ATIF v1.7 trajectory",
        choices: ["atif"],
      },
      { flags: "--out <FILE>", description: "write the result to FILE" },
      { flags: "--force", description: "replace FILE if it exists" },
    ],
    examples: ["tinycoder export baseline --format atif --out baseline.json"],
    keeps: ["read", "write"],
    load: async () => (await import("./export.ts")).exportRun,
  },
  {
    name: "submission",
    summary: "write submission.md as far as evidence can",
    operands: [
      { name: "BASELINE", description: "the baseline's folder" },
      { name: "TRIAL", description: "the trial's folder", optional: true },
    ],
    options: [
      { flags: "--out <FILE>", description: "write the result to FILE" },
      { flags: "--force", description: "replace FILE if it exists" },
    ],
    examples: ["tinycoder submission baseline trial --out submission.md"],
    keeps: ["read", "write"],
    load: async () => (await import("./submission.ts")).submission,
  },
  {
    name: "completions",
    summary: "print a completion script for a shell",
    operands: [{
      name: "SHELL",
      description: "the shell",
      choices: ["bash", "zsh", "fish"],
    }],
    examples: ["tinycoder completions bash"],
    keeps: [],
    load: async () => (await import("./completions.ts")).completions,
  },
  {
    name: "licenses",
    summary: "print the licences of everything in the program",
    options: [json],
    examples: ["tinycoder licenses"],
    keeps: [],
    load: async () => (await import("./licenses.ts")).licenses,
  },
];
