// usage: deno run --allow-read --allow-run --allow-env proposer.ts NEW_FOLDER PROPOSALS
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const [folder = "", file = ""] = process.argv.slice(2);
const proposals = readFileSync(file, "utf8").split("\n");
const args = ["--run", folder, "--source", "stdio", "--quiet"];
const run = spawn("tinycoder", args, { stdio: ["pipe", "pipe", "inherit"] });
run.on("exit", (code) => process.exitCode = code ?? 1);
for await (const line of createInterface(run.stdout)) {
  const { type, proposal_number } = JSON.parse(line);
  const proposal = proposals[proposal_number - 1];
  const answer = JSON.stringify({ proposal_number, proposal });
  if (type === "request") run.stdin.write(`${answer}\n`);
  if (type === "final") process.stdout.write(`${line}\n`);
}
