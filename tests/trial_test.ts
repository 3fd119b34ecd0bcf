import assert from "node:assert/strict";
import { LAUNCHER } from "./launched.ts";

const CHECKPOINT = new URL("../fixtures/checkpoint/", import.meta.url);

/** Runs tinycoder in a fresh folder that holds the tiny checkpoint. */
async function inFolderWithModel(
  use: (
    run: (...args: string[]) => Promise<{ code: number; err: string }>,
    folder: string,
  ) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const model = new URL("tiny-qwen2/", CHECKPOINT);
    await Deno.mkdir(`${folder}/tiny`);
    for await (const { name } of Deno.readDir(model)) {
      await Deno.copyFile(new URL(name, model), `${folder}/tiny/${name}`);
    }
    await Deno.copyFile(
      new URL("tiny-qwen2.json", CHECKPOINT),
      `${folder}/tiny.json`,
    );
    await use(async (...args) => {
      const { code, stderr } = await new Deno.Command(LAUNCHER, {
        args,
        cwd: folder,
        stdin: "null",
      }).output();
      return { code, err: new TextDecoder().decode(stderr) };
    }, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const names = (folder: string) =>
  [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("a trial of a declared extension records what a real network said", async () => {
  await inFolderWithModel(async (run, folder) => {
    const trial = await run(
      ...["--run", "trial", "--model-directory", "tiny"],
      ...["--checkpoint", "tiny.json", "--extension", "a random network"],
      "--yes",
    );
    assert.equal(trial.code, 0, trial.err);
    const final = JSON.parse(
      Deno.readTextFileSync(`${folder}/trial/final.json`),
    );
    const { source, core_trial, extension, stop_reason, verified_success } =
      final;
    assert.deepEqual(
      { source, core_trial, extension, stop_reason, verified_success },
      {
        source: "model",
        core_trial: false,
        extension: "a random network",
        stop_reason: "invalid_proposal_limit",
        verified_success: false,
      },
    );
    assert.equal(final.model_calls, final.proposals);
    const { code, err } = await run("verify", "trial");
    assert.equal(code, 0, err);
  });
});

Deno.test("a trial that can't begin says why, and makes nothing", async () => {
  const begin = ["--run", "trial", "--model-directory"];
  const cases: readonly [string[], number, RegExp][] = [
    [[...begin, "tiny", "--yes"], 3, /has no ledger of an acquisition/],
    [[...begin, "absent", "--yes"], 3, /there is no such folder/],
    [[...begin, "tiny.json", "--yes"], 3, /it is not a folder/],
    [[...begin, "..", "--yes"], 3, /does not lie below the current folder/],
    [
      [...begin, "tiny", "--checkpoint", "tiny.json", "--yes"],
      3,
      /Declare what is different: --extension TEXT/,
    ],
    [
      [...begin, "tiny", "--checkpoint", "tiny/config.json", "--yes"],
      3,
      /the manifest "tiny\/config.json" can't be used/,
    ],
    [
      [...begin, "tiny", "--checkpoint", "tiny.json", "--extension", "e"],
      3,
      /it was not agreed to/,
    ],
    [["--run", "trial", "--yes"], 2, /there is no --model-directory/],
    [[...begin, "tiny", "--source", "stdio"], 2, /come from the model/],
  ];
  await inFolderWithModel(async (run, folder) => {
    for (const [args, code, message] of cases) {
      const refused = await run(...args);
      assert.deepEqual([refused.code, args], [code, args]);
      assert.match(refused.err, message);
      assert.deepEqual(names(folder), ["tiny", "tiny.json"]);
    }
    await Deno.truncate(`${folder}/tiny/config.json`, 1);
    const short = await run(
      ...[...begin, "tiny", "--checkpoint", "tiny.json"],
      ...["--extension", "e", "--yes"],
    );
    assert.equal(short.code, 3);
    assert.match(short.err, /"config\.json" has 1 bytes instead of /);
    assert.deepEqual(names(folder), ["tiny", "tiny.json"]);
  });
});
