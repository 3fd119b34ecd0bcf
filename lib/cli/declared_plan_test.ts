import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { assertOneError, tinycoder } from "../../tests/launched.ts";
import { diskFiles, type Files } from "../system/files.ts";
import { readCheckpointDeclaration } from "./checkpoint_declaration.ts";
import { declaredPlan } from "./declared_plan.ts";

/** Real files, as a program sees them that was started in a folder. */
function startedIn(folder: string): Files {
  return {
    ...diskFiles,
    realPath: (path) =>
      diskFiles.realPath(path.startsWith("/") ? path : `${folder}/${path}`),
  };
}

/** A declaration that can be acquired and tried. */
const WHOLE = {
  label: "small",
  repository: "owner/name",
  revision: "b".repeat(40),
  files: ["config.json", "tokenizer.json", "tokenizer_config.json"]
    .concat(["model.safetensors"])
    .map((name) => ({ name, bytes: 1, sha256: "a".repeat(64) })),
  token_ids: { begin: 0, pad: 0, end: [1] },
};

Deno.test("declaredPlan() takes what a trial takes, and nothing else", () => {
  using folder = freshFolder();
  const files = startedIn(folder.path);
  const write = (declaration: unknown) =>
    fs.writeFileSync(`${folder.path}/it.json`, JSON.stringify(declaration));
  write(WHOLE);
  assert.equal(readCheckpointDeclaration(files, "it.json").ok, true);
  const taken = declaredPlan(files, "it.json");
  assert.deepEqual(taken.ok && taken.plan.totalBytes, 4);

  const { label: _label, ...unlabelled } = WHOLE;
  const { token_ids: _ids, ...tokenless } = WHOLE;
  const { sha256: _sha256, ...undigested } = WHOLE.files[0]!;
  for (
    const [declaration, says] of [
      [unlabelled, /label/],
      [tokenless, /token_ids/],
      [{ ...WHOLE, colour: "red" }, /colour/],
      [{ ...WHOLE, files: WHOLE.files.slice(0, 3) }, /model\.safetensors/],
      [
        {
          ...WHOLE,
          files: [
            { ...undigested, git_blob_sha1: "c".repeat(40) },
            ...WHOLE.files.slice(1),
          ],
        },
        /no sha256 for "config.json"/,
      ],
    ] as const
  ) {
    write(declaration);
    const trial = readCheckpointDeclaration(files, "it.json");
    assert.ok(!trial.ok && says.test(trial.why), JSON.stringify(trial));
    const plan = declaredPlan(files, "it.json");
    assert.equal(!plan.ok && plan.refusal.why, trial.why);
  }
});

Deno.test("readCheckpointDeclaration() reads a plain file below the current folder alone", () => {
  using folder = freshFolder();
  const here = `${folder.path}/here`;
  fs.mkdirSync(`${here}/folder`, { recursive: true });
  fs.writeFileSync(`${folder.path}/outside`, "secret words");
  fs.symlinkSync("../outside", `${here}/link`);
  for (const bytes of [65_536, 65_537]) {
    fs.writeFileSync(`${here}/of-${bytes}`, " ".repeat(bytes));
  }
  new Deno.Command("mkfifo", { args: [`${here}/fifo`] }).outputSync();
  const files = startedIn(here);
  for (
    const [typed, why] of [
      ["link", /^it does not lie below the current folder$/],
      ["../outside", /^it does not lie below the current folder$/],
      ["", /^its name is empty$/],
      ["absent", /^it is not there$/],
      ["folder", /^it isn't a regular file$/],
      ["fifo", /^it isn't a regular file$/],
      ["of-65536", /^the checkpoint's manifest isn't JSON/],
      ["of-65537", /^it has more than 65536 bytes$/],
    ] as const
  ) {
    const read = readCheckpointDeclaration(files, typed);
    assert.ok(
      !read.ok && why.test(read.why),
      `${typed}: ${!read.ok && read.why}`,
    );
  }
});

Deno.test("plan tells nothing of a file outside the current folder", async () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/here`);
  fs.writeFileSync(`${folder.path}/outside`, "secret words");
  const name = "a\x1b[31mb";
  fs.symlinkSync("../outside", `${folder.path}/here/${name}`);
  const left = await tinycoder(`${folder.path}/here`, [
    ...["plan", "--checkpoint", name],
  ]);
  assertOneError(left, 3, '"a\\u{1b}[31mb": it does not lie below');
  assert.ok(!left.err.includes("secret"), left.err);
});
