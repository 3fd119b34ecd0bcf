// Runs inside the namespace: the pinned checkpoint's seven small files, in their
// published bytes, through the real command. Prints one JSON line.
//
// usage: small_files.ts AUTHORITY CERTIFICATE KEY WORK FOLDER

import assert from "node:assert/strict";
import pinned from "../../fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json" with {
  type: "json",
};
import { declared, gitBlobSha1 } from "./checkpoint.ts";
import { FakeHub } from "./hub.ts";

const [authority, certificate, key, work, folder] = Deno.args as [
  string,
  string,
  string,
  string,
  string,
];
const TINYCODER = new URL("../../tasks/tinycoder", import.meta.url).pathname;
const files = pinned.files.filter(({ name }) => name !== "model.safetensors");
const contents = new Map<string, Uint8Array>();
for (const { name, bytes, git_blob_sha1 } of files) {
  const content = await Deno.readFile(`${folder}/${name}`);
  assert.equal(content.length, bytes, name);
  assert.equal(gitBlobSha1(content), git_blob_sha1, name);
  contents.set(name, content);
}
// A command takes no checkpoint without weights.
contents.set("model.safetensors", new Uint8Array(1));
const { repository, revision } = pinned;
const checkpoint = declared(contents, { repository, revision });
const hub = await FakeHub.start({ authority, certificate, key }, checkpoint);
Deno.chdir(work);
await Deno.writeTextFile("it.json", JSON.stringify(checkpoint.declaration));
const { code, stdout, stderr } = await new Deno.Command(TINYCODER, {
  args: ["acquire", "--directory", "model", "--checkpoint", "it.json"]
    .concat(["--yes", "--quiet", "--json"]),
  stdin: "null",
  stdout: "piped",
  stderr: "piped",
}).output();
assert.equal(code, 0, new TextDecoder().decode(stderr));
const result = JSON.parse(new TextDecoder().decode(stdout));
assert.deepEqual(
  result.files.map(
    (file: { name: string; git_blob_sha1: string }) => [
      file.name,
      file.git_blob_sha1,
    ],
  ).slice(0, files.length),
  files.map(({ name, git_blob_sha1 }) => [name, git_blob_sha1]),
);
for (const [name, bytes] of contents) {
  assert.deepEqual(Deno.readFileSync(`model/${name}`), bytes, name);
}
const line = JSON.stringify({ verified: result.files });
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
hub.stop();
Deno.exit(0);
