// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task build:verify FOLDER KEY.pub`: whether the binaries in a folder are
// those that were signed, and were made from what this checkout has.

import { attestationDifference } from "../lib/evidence/receipts/attestation.ts";
import { readPublicKey } from "../lib/evidence/receipts/signing_key.ts";
import { diskFiles } from "../lib/system/files.ts";
import { buildStatement, type BuiltFile } from "./build/statement.ts";
import { fileSha256 } from "./build/files.ts";
import { end, orEnd } from "./build/or_end.ts";
import { BUILD_TARGETS } from "./build/targets.ts";

const USAGE = "usage: deno task build:verify FOLDER KEY.pub";
const [folder, keyFile, ...more] = Deno.args;
if (folder === "--help" || folder === "-h") {
  console.log(USAGE);
  Deno.exit(0);
}
if (folder === undefined || keyFile === undefined || more.length > 0) {
  end(2, USAGE);
}
const place = await orEnd(
  `the folder "${folder}" can't be used`,
  () => diskFiles.realPath(folder),
);
const key = await orEnd(
  `the key "${keyFile}" can't be used`,
  () => readPublicKey(Deno.readTextFileSync(keyFile)),
);
const found: BuiltFile[] = [];
for (const target of BUILD_TARGETS) {
  const name = `tinycoder-${target.name}`;
  if (diskFiles.facts(`${folder}/${name}`) === null) continue;
  const digest = await fileSha256(`${folder}/${name}`);
  found.push({ name, sha256: digest, target });
}
const difference = await attestationDifference(
  diskFiles,
  place,
  key,
  buildStatement(found),
);
if (difference !== null) {
  const { file, message, field, expected, found: stated } = difference;
  console.error(`${file}: ${message}`);
  if (field !== undefined) {
    console.error(`  ${field}: here ${expected}, stated ${stated}`);
  }
  Deno.exit(4);
}
for (const { name, sha256 } of found) console.log(`${sha256}  ${name}`);
console.log(
  "Signed by this key, and made from what this checkout has.",
);
