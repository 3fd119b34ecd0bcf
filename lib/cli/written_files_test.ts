// Commands that write a file of their own into the current folder, as a user calls
// them: where they refuse, what they leave, and what they say of it.

import assert from "node:assert/strict";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { assertOneError, OWN_MOUNTS, tinycoder } from "../../tests/launched.ts";

const ANSWERS = [
  ...["--valid-json", "yes", "--both-repaired", "no", "--fails-first"],
  ...["format", "--baseline-passes", "yes", "--forbidden", "It is refused"],
];
const WRITING = [["keygen", "k"], ["predict", ...ANSWERS]] as const;

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Runs a script before the program, its working folder among its own mounts. */
function after(script: string): readonly string[] {
  return [...OWN_MOUNTS, "sh", "-c", `set -eu\n${script}\nexec "$@"`, "sh"];
}

for (const [command, ...args] of WRITING) {
  Deno.test(`${command} writes nothing among evidence, and nothing in a repository`, async () => {
    for (
      const [mark, says] of [
        ["audit.jsonl", "run's folder"],
        ["acquisition.json", "a model folder"],
        ["model.safetensors", "a model folder"],
        [".git", "inside the repository"],
        ["../.hg", "inside the repository"],
      ]
    ) {
      using fresh = freshFolder();
      const cwd = `${fresh.path}/here`;
      Deno.mkdirSync(cwd);
      Deno.writeTextFileSync(`${cwd}/${mark}`, "");
      const before = namesIn(cwd);
      assertOneError(await tinycoder(cwd, [command, ...args]), 3, says!);
      assert.deepEqual(namesIn(cwd), before);
    }
  });

  Deno.test(`${command} leaves nothing on a full disk, nor on one that is read-only`, async () => {
    for (
      const [script, says, left] of [
        [
          "head -c 99999 /dev/zero > fill 2>/dev/null || :",
          "the disk is full",
          [
            "fill",
          ],
        ],
        ["mount -o remount,ro .", "the disk is read-only", []],
      ] as const
    ) {
      using fresh = freshFolder();
      const listed = `ls -A >"$OLDPWD/left"`;
      Deno.mkdirSync(`${fresh.path}/disk`);
      const within = [
        ...after(`mount -t tmpfs -o size=16k tmpfs disk; cd disk; ${script}`),
        "sh",
        "-c",
        `code=0; "$@" || code=$?; ${listed}; exit $code`,
        "sh",
      ];
      assertOneError(
        await tinycoder(fresh.path, [command, ...args], { within }),
        3,
        says,
      );
      assert.deepEqual(
        Deno.readTextFileSync(`${fresh.path}/left`).split("\n").slice(0, -1),
        [...left],
      );
    }
  });

  Deno.test(`${command} says what it made where its words don't arrive`, async () => {
    using fresh = freshFolder();
    const within = ["sh", "-c", 'exec "$@" >/dev/full', "sh"];
    const left = await tinycoder(fresh.path, [command, ...args], { within });
    assertOneError(left, 5, "the disk or device that it goes to is full");
    assert.match(
      left.err,
      /\nThe (keys are made: k and k\.pub|predictions are)/,
    );
    assert.doesNotMatch(left.err, /again/);
    assert.notDeepEqual(namesIn(fresh.path), []);
  });
}

Deno.test("keygen takes no name that can't be shown, read or meant", async () => {
  using fresh = freshFolder();
  Deno.mkdirSync(`${fresh.path}/folder`);
  for (
    const [name, says] of [
      ["", '"": its name is empty'],
      ["folder/", '"folder/": it names a folder'],
      ["folder/.", '"folder/.": it names a folder'],
      ["-k", '"-k": its name reads as an option'],
      ["a\nb", '"a\\u{a}b": its name has characters'],
      ["a\x1b[31m", '"a\\u{1b}[31m": its name has characters'],
      ["a\u202eb", '"a\\u{202e}b": its name has characters'],
      ["k".repeat(252), "the name is too long"],
    ]
  ) {
    assertOneError(
      await tinycoder(fresh.path, ["keygen", "--", name!]),
      3,
      "Cannot create the key",
      says!,
    );
  }
  assert.deepEqual(namesIn(fresh.path), ["folder"]);
  assert.deepEqual(namesIn(`${fresh.path}/folder`), []);
});

Deno.test("sign takes only a key file for a key, and says what else it is", async () => {
  using fresh = freshFolder();
  Deno.mkdirSync(`${fresh.path}/folder`);
  // As much as makes it a run's folder: its key is looked at first.
  Deno.writeTextFileSync(`${fresh.path}/folder/audit.jsonl`, "");
  Deno.symlinkSync("loop", `${fresh.path}/loop`);
  for (
    const [name, says] of [
      ["", '"": its name is empty'],
      ["folder", '"folder": it is a folder'],
      ["loop", '"loop": it is a link, or leads through links in a circle'],
      ["folder/k\n", '"folder/k\\u{a}": there is no such file'],
    ]
  ) {
    assertOneError(
      await tinycoder(fresh.path, ["sign", "folder", `--key=${name}`]),
      3,
      "Cannot use the key",
      says!,
    );
  }
  assertOneError(
    await tinycoder(fresh.path, ["sign", "", "--key", "k"]),
    3,
    'Cannot open the run "": its name is empty',
  );
});

Deno.test("predict supersedes a set only when told to, and says which is shown", async () => {
  using fresh = freshFolder();
  const predict = (...args: string[]) =>
    tinycoder(fresh.path, ["predict", ...args]);
  const first = await predict(...ANSWERS);
  assert.deepEqual([first.code, first.err], [0, ""]);
  assert.match(first.out, /^Recorded now, .*, in predictions\.json:\n/);
  const before = Deno.readTextFileSync(`${fresh.path}/predictions.json`);
  assertOneError(
    await predict("--valid-json", "no"),
    3,
    "there is a set already",
    "Add --again",
  );
  const shown = await predict();
  assert.match(shown.out, /^Recorded earlier, .*; nothing is new:\n/);
  assert.equal(
    Deno.readTextFileSync(`${fresh.path}/predictions.json`),
    before,
  );
  const second = await predict("--again", ...ANSWERS);
  assert.match(second.out, /This is set 2; the earlier one is kept beside it/);
  Deno.writeTextFileSync(
    `${fresh.path}/predictions.json`,
    before.replace("It is refused", "It is done"),
  );
  assertOneError(await predict(), 3, "set 1 was changed after it was recorded");
});
