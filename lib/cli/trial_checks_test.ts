import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { readCheckpointManifest } from "../model/checkpoint_manifest.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { requireCheckpoint, requireEntries } from "./trial_checks.ts";

const FIXTURES = new URL("../../fixtures/checkpoint/", import.meta.url);
const MANIFEST = readCheckpointManifest(
  fs.readFileSync(new URL("tiny-qwen2.json", FIXTURES)),
);

Deno.test("requireCheckpoint() finds a changed byte before a trial is taken", () => {
  using fresh = freshFolder();
  const folder = `${fresh.path}/model`;
  fs.cpSync(new URL("tiny-qwen2", FIXTURES), folder, { recursive: true });
  const check = () =>
    requireCheckpoint(
      folder,
      MANIFEST,
      "my model",
      (why, next) =>
        new CommandError(EXIT.refused, { what: "Cannot begin", why, next }),
    );
  check();
  const weights = fs.readFileSync(`${folder}/model.safetensors`);
  weights[weights.length - 1]! ^= 1;
  fs.writeFileSync(`${folder}/model.safetensors`, weights);
  assert.throws(check, (error) => {
    assert.ok(error instanceof CommandError);
    assert.match(error.text.why, /"model\.safetensors"/);
    assert.match(error.text.next, /acquire --directory 'my model' --from DIR/);
    return true;
  });
});

Deno.test("requireEntries() finds what entries show, and leaves contents alone", () => {
  using fresh = freshFolder();
  const folder = `${fresh.path}/model`;
  fs.cpSync(new URL("tiny-qwen2", FIXTURES), folder, { recursive: true });
  const weights = `${folder}/model.safetensors`;
  const check = () =>
    requireEntries(
      folder,
      MANIFEST,
      (why, next) =>
        new CommandError(EXIT.refused, { what: "Cannot begin", why, next }),
    );
  const refused = (why: RegExp) =>
    assert.throws(check, (error) => {
      assert.ok(error instanceof CommandError);
      assert.match(error.text.why, why);
      return true;
    });
  check();
  const bytes = fs.readFileSync(weights);
  fs.writeFileSync(weights, new Uint8Array(bytes.length));
  check();
  for (const size of [bytes.length - 1, bytes.length + 1]) {
    fs.writeFileSync(weights, new Uint8Array(size));
    refused(new RegExp(`"model.safetensors" has ${size} bytes instead of `));
  }
  fs.writeFileSync(weights, bytes);
  fs.writeFileSync(`${folder}/notes`, "");
  refused(/^the model folder holds "notes"/);
  fs.rmSync(`${folder}/notes`);
  fs.rmSync(weights);
  refused(/^the model folder lacks "model.safetensors"$/);
});
