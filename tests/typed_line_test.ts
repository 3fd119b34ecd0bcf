// Questions at a terminal: answered, and cancelled by Ctrl-C.

import assert from "node:assert/strict";
import { launch } from "./launched.ts";
import { scenarioFolder } from "./scenario_tools.ts";

/** Starts a program at a terminal of its own, whose keys are its stdin. */
const AT_A_TERMINAL = [
  "sh",
  "-c",
  'exec script -qec "$*" /dev/null',
  "sh",
] as const;

/** Types keys once a question is shown; gives the exit code and what was shown. */
async function typing(
  folder: string,
  args: readonly string[],
  keys: readonly (readonly [question: string, keys: string])[],
): Promise<{ readonly code: number; readonly shown: string }> {
  const child = launch(folder, args, { within: AT_A_TERMINAL, stdin: "piped" });
  const writer = child.stdin.getWriter();
  const left = [...keys];
  let shown = "";
  let from = 0;
  for await (
    const text of child.stdout.pipeThrough(new TextDecoderStream())
  ) {
    shown += text;
    const [next] = left;
    const at = next === undefined ? -1 : shown.indexOf(next[0], from);
    if (at === -1) continue;
    from = at + next![0].length;
    await writer.write(new TextEncoder().encode(next![1]));
    left.shift();
  }
  await child.stderr.cancel();
  const { code } = await child.status;
  await writer.close().catch(() => {});
  return { code, shown: shown.replaceAll("\r", "") };
}

const CTRL_C = "\x03";

Deno.test("typedLine() tells of Ctrl-C at a question of predict, and nothing is kept", async () => {
  using folder = scenarioFolder();
  const { code, shown } = await typing(folder.path, ["predict"], [
    ["1. ", "yes\n"],
    ["2. ", CTRL_C],
  ]);
  assert.equal(code, 130, shown);
  assert.ok(
    shown.endsWith(
      "\nCannot record the predictions: it was cancelled.\n" +
        "No answer was recorded.\n",
    ),
    shown,
  );
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("typedLine() tells of Ctrl-C at the question of acquire, and nothing is made", async () => {
  using folder = scenarioFolder();
  const { code, shown } = await typing(folder.path, [
    "acquire",
    "--directory",
    "qwen",
  ], [['Type "yes" to begin: ', CTRL_C]]);
  assert.equal(code, 130, shown);
  assert.ok(
    shown.endsWith(
      '\nCannot acquire into "qwen": it was cancelled.\nNothing was made.\n',
    ),
    shown,
  );
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});
