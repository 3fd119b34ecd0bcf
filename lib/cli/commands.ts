// The table of commands.

import type { Command } from "./command.ts";

const json = {
  flags: "--json",
  description: "print the result as JSON",
} as const;

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
];
