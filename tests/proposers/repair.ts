// Repairs both functions, as your own program could.
// usage: deno run --allow-run --allow-env repair.ts NEW_FOLDER [PATH_OF_TINYCODER]
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";

const proposals = [
  '{"action":"read","file":"toy_math.py"}',
  '{"action":"replace","function":"clamp","version":0,"old":"x","new":"lo if x < lo else hi if x > hi else x"}',
  '{"action":"replace","function":"total","version":1,"old":"unit + qty + fee","new":"unit * qty + fee"}',
  '{"action":"test"}',
  '{"action":"finish","version":2}',
];

const [folder = "", program = "tinycoder"] = process.argv.slice(2);
const args = ["--run", folder, "--source", "stdio", "--quiet"];
const run = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
run.on("exit", (code) => process.exitCode = code ?? 1);
for await (const line of createInterface(run.stdout)) {
  const { type, proposal_number, final } = JSON.parse(line);
  if (type === "request") {
    const proposal = proposals[proposal_number - 1];
    run.stdin.write(`${JSON.stringify({ proposal_number, proposal })}\n`);
  } else if (type === "final") {
    process.stdout.write(`${final.stop_reason} ${final.verified_success}\n`);
  }
}
