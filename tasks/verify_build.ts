// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task build:verify FOLDER KEY.pub`: whether the binaries in a folder are
// those that were signed, and were made from what this checkout has.

import { attestationDifference } from "../lib/evidence/receipts/attestation.ts";
import { readPublicKey } from "../lib/evidence/receipts/signing_key.ts";
import { diskFiles } from "../lib/system/files.ts";
import { buildStatement, type BuiltFile } from "./build/statement.ts";
import { fileSha256 } from "./build/files.ts";
import { BUILD_TARGETS } from "./build/targets.ts";

const [folder, keyFile] = Deno.args;
if (folder === undefined || keyFile === undefined) {
  console.error("usage: deno task build:verify FOLDER KEY.pub");
  Deno.exit(2);
}
const found: BuiltFile[] = [];
for (const target of BUILD_TARGETS) {
  const name = `tinycoder-${target.name}`;
  if (diskFiles.facts(`${folder}/${name}`) === null) continue;
  const digest = await fileSha256(`${folder}/${name}`);
  found.push({ name, sha256: digest, target });
}
const difference = await attestationDifference(
  diskFiles,
  diskFiles.realPath(folder),
  await readPublicKey(Deno.readTextFileSync(keyFile)),
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
