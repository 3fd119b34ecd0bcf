// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task build [--all] [--output FOLDER]`: the binary for this platform, or
// for every one; SHA256SUMS beside it. A platform that can't be built is listed
// with the reason; this platform's binary must be built.

import { parseArgs } from "node:util";
import { VERSION } from "../lib/system/version.ts";
import { buildBinary, type BuiltBinary, NotBuilt } from "./build_binary.ts";
import { ROOT_PATH } from "./build_files.ts";
import {
  BUILD_TARGETS,
  type BuildTarget,
  ownTarget,
  whyNot,
} from "./build_targets.ts";

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    output: { type: "string", default: `${ROOT_PATH}dist` },
  },
});
const folder = values.output;
const own = ownTarget();
Deno.mkdirSync(folder, { recursive: true });

const sums: string[] = [];
let ownBuilt = false;
for (const target of values.all ? BUILD_TARGETS : [own]) {
  const name = `tinycoder-${target.name}`;
  const why = whyNot(target) ?? await attempt(target, name);
  if (why !== null) console.log(`${name}: not built: ${why}`);
  else if (target === own) ownBuilt = true;
}
if (sums.length > 0) {
  Deno.writeTextFileSync(`${folder}/SHA256SUMS`, sums.join(""));
}
Deno.exit(ownBuilt ? 0 : 1);

/** Builds for one platform; why not, where that is impossible. */
async function attempt(
  target: BuildTarget,
  name: string,
): Promise<string | null> {
  try {
    const built = await buildBinary(target, `${folder}/${name}`);
    const digest = await fileSha256(built.path);
    sums.push(`${digest}  ${name}\n`);
    describe(name, built, digest);
    return null;
  } catch (error) {
    if (error instanceof NotBuilt) return error.message;
    throw error;
  }
}

function describe(name: string, { bytes }: BuiltBinary, digest: string): void {
  const { whole, engine, packages, runtime } = bytes;
  console.log(`${name}, version ${VERSION}`);
  row("SHA-256", digest);
  row("whole", megabytes(whole));
  if (runtime !== null) row("  Deno's runtime", megabytes(runtime));
  row("  ONNX Runtime, native", megabytes(engine));
  row("  packages", megabytes(packages));
  row(
    runtime === null ? "  Deno's runtime, own modules" : "  own modules",
    megabytes(whole - engine - packages - (runtime ?? 0)),
  );
}

async function fileSha256(path: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    Deno.readFileSync(path),
  );
  return new Uint8Array(digest).toHex();
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
}

function row(name: string, value: string): void {
  console.log(`  ${name.padEnd(28)} ${value}`);
}
