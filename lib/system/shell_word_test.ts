import assert from "node:assert/strict";
import { shellWord } from "./shell_word.ts";

const NAMES = [
  "runs/a-1_b.c",
  "",
  "my run",
  "it's",
  "$HOME",
  "`id`",
  'a"b',
  "a\\b",
  "a;b&c|d",
  "*",
  "läufe/中",
  "a\nb",
];

Deno.test("shellWord() leaves plain names as they are, and quotes others", () => {
  assert.deepEqual(
    ["runs/a-1_b.c", "läufe/中", "", "my run", "it's"].map(shellWord),
    ["runs/a-1_b.c", "läufe/中", "''", "'my run'", "'it'\\''s'"],
  );
});

Deno.test("shellWord() is read by a shell as the very text", async () => {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `printf '%s\\0' ${NAMES.map(shellWord).join(" ")}`],
  }).output();
  assert.deepEqual(
    new TextDecoder().decode(stdout).split("\0").slice(0, -1),
    NAMES,
  );
});
