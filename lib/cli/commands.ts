// The table of commands.

import type { Command } from "./command.ts";

const json = {
  flags: "--json",
  description: "print the result as JSON",
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
        flags: "--require-success",
        description: "exit with 1 unless the run is a verified success",
      },
      { flags: "--quiet", description: "show no progress" },
      json,
    ],
    examples: ["tinycoder --run baseline"],
    keeps: ["read", "write", "sys"],
    load: async () => (await import("./run.ts")).run,
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
      choices: ["manifest", "record", "events", "final"],
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
    load: async () => (await import("./selftest.ts")).selftest,
  },
];
