// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task build [--all] [--output FOLDER] [--key FILE]`: the binary for this
// platform, or for every one; SHA256SUMS beside it, and with a key a signed
// statement of what is inside. A platform that can't be built is listed with the
// reason; this platform's binary must be built.

import { parseArgs } from "node:util";
import { attestationBytes } from "../lib/evidence/receipts/attestation.ts";
import { ATTESTATION_NAME } from "../lib/evidence/receipts/attestation_name.ts";
import {
  keyIdOf,
  publicKeyOf,
  readPrivateKey,
} from "../lib/evidence/receipts/signing_key.ts";
import { VERSION } from "../lib/system/version.ts";
import { buildBinary, type BuiltBinary } from "./build/binary.ts";
import { fileSha256, ROOT_PATH } from "./build/files.ts";
import { NotBuilt } from "./build/not_built.ts";
import { buildStatement, type BuiltFile } from "./build/statement.ts";
import {
  BUILD_TARGETS,
  type BuildTarget,
  ownTarget,
  whyNot,
} from "./build/targets.ts";
import { end, orEnd } from "./build/or_end.ts";

const USAGE = "usage: deno task build [--all] [--output FOLDER] [--key FILE]";

const values = asked();
const folder = values.output;
const own = ownTarget();
await orEnd(`"${folder}" can't be made`, () => {
  Deno.mkdirSync(folder, { recursive: true });
});

// A key that can't be used is better known before the builds than after.
const { key } = values;
const signer = key === undefined
  ? null
  : await orEnd(`the key "${key}" can't be used`, () => signerOf(key));
// An earlier build's statement is about other binaries.
for (const name of ["SHA256SUMS", ATTESTATION_NAME]) removeOld(name);
const made: BuiltFile[] = [];
let ownBuilt = false;
for (const target of values.all ? BUILD_TARGETS : [own]) {
  const name = `tinycoder-${target.name}`;
  const why = whyNot(target) ?? await attempt(target, name);
  if (why !== null) console.log(`${name}: not built: ${why}`);
  else if (target === own) ownBuilt = true;
}
if (made.length > 0) {
  Deno.writeTextFileSync(
    `${folder}/SHA256SUMS`,
    made.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""),
  );
}
if (made.length > 0 && signer !== null) {
  Deno.writeFileSync(
    `${folder}/${ATTESTATION_NAME}`,
    await attestationBytes(buildStatement(made), signer.key, signer.id),
  );
  row("Signed with key", signer.id);
}
Deno.exit(ownBuilt ? 0 : 1);

/** The options; with another, or asked for help, it ends with the usage. */
function asked() {
  try {
    const { values } = parseArgs({
      options: {
        all: { type: "boolean", default: false },
        output: { type: "string", default: `${ROOT_PATH}dist` },
        key: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (!values.help) return values;
  } catch (error) {
    end(2, `${(error as Error).message}\n${USAGE}`);
  }
  console.log(USAGE);
  Deno.exit(0);
}

/** Builds for one platform; why not, where that is impossible. */
async function attempt(
  target: BuildTarget,
  name: string,
): Promise<string | null> {
  try {
    const built = await buildBinary(target, `${folder}/${name}`);
    const digest = await fileSha256(built.path);
    made.push({ name, sha256: digest, target });
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

async function signerOf(
  path: string,
): Promise<{ key: CryptoKey; id: string }> {
  const pem = Deno.readTextFileSync(path);
  return {
    key: await readPrivateKey(pem),
    id: await keyIdOf(await publicKeyOf(pem)),
  };
}

function removeOld(name: string): void {
  try {
    Deno.removeSync(`${folder}/${name}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
}

function row(name: string, value: string): void {
  console.log(`  ${name.padEnd(28)} ${value}`);
}
