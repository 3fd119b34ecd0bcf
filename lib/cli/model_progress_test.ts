import assert from "node:assert/strict";
import type { ModelProgress } from "../model/model_source.ts";
import { modelProgress, progressText } from "./model_progress.ts";
import type { Terminal } from "./terminal.ts";

const loading = (
  stage: Extract<ModelProgress, { type: "load_progress" }>["stage"],
  bytes: number,
  call = 1,
): ModelProgress => ({
  type: "load_progress",
  call,
  stage,
  bytes,
  total_bytes: 999_597_691,
});

const proposing = (
  stage: "prefill" | "decode",
  tokens: number,
  text = "",
  call = 2,
): ModelProgress => ({
  type: "propose_progress",
  call,
  stage,
  tokens,
  input_tokens: 435,
  tokens_per_second: 12.345,
  text,
});

/** What is noted of these, one after the other. */
function noted(
  noteIsTerminal: boolean,
  ...told: readonly ModelProgress[]
): string {
  let notes = "";
  const terminal: Terminal = {
    out: () => assert.fail("Progress is no result"),
    note: (text) => notes += text,
    outColor: false,
    noteColor: false,
    noteIsTerminal,
  };
  told.forEach(modelProgress(terminal));
  return notes;
}

Deno.test("progressText() tells bytes, tokens and speed", () => {
  assert.deepEqual(
    [
      loading("verify", 0),
      loading("verify", 999_597_690),
      loading("verify", 999_597_691),
      loading("session", 999_597_691),
      proposing("prefill", 0),
      { ...proposing("prefill", 128), tokens_per_second: 0 } as ModelProgress,
      proposing("prefill", 128),
      proposing("decode", 1, "{"),
      proposing("decode", 3, '{"action"'),
    ].map((progress) => progressText(progress).trim()),
    [
      "loading: verified 0.0 MB of 999.6 MB (0%)",
      "loading: verified 999.6 MB of 999.6 MB (99%)",
      "loading: verified 999.6 MB of 999.6 MB (100%)",
      "loading: session",
      "reading: 0 of 435 tokens",
      "reading: 128 of 435 tokens",
      "reading: 128 of 435 tokens, 12.3 tokens/s",
      "writing: 1 token: {",
      'writing: 3 tokens, 12.3 tokens/s: {"action"',
    ],
  );
});

Deno.test("progressText() shows generated text escaped, on one line", () => {
  const text = progressText(
    proposing("decode", 3, `\x1b[2J\r\n\u202e${"x".repeat(200)}`),
  );
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text, /[\x00-\x1f\u202e]/);
  assert.equal([...text].length, 78);
});

Deno.test("modelProgress() writes a terminal's line over, and notes a stage once elsewhere", () => {
  const told = [
    loading("verify", 0),
    loading("verify", 1_000_000),
    loading("verify", 999_597_691),
    loading("session", 0),
    proposing("decode", 1),
    proposing("decode", 2),
    proposing("decode", 1, "", 3),
  ];
  const lines = (texts: readonly ModelProgress[]) =>
    texts.map((progress) => `${progressText(progress)}\n`).join("");
  const [first, , all, session, ours, , next] = told;
  assert.equal(
    noted(false, ...told),
    lines([first!, all!, session!, ours!, next!]),
  );
  assert.equal(
    noted(true, ...told),
    told.map((progress) => `\r\x1b[K${progressText(progress)}\r`).join(""),
  );
});
