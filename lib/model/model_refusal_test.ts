import assert from "node:assert/strict";
import { ModelRefusal, sentenceOf } from "./model_refusal.ts";

Deno.test("sentenceOf() keeps a refusal's own words, up to the most", () => {
  const sentence = '"a/b" is not a file';
  const most = "x".repeat(1_000);
  assert.equal(sentenceOf(new ModelRefusal(sentence)), sentence);
  assert.equal(sentenceOf(new ModelRefusal(most)), most);
  assert.equal(
    sentenceOf(new ModelRefusal(`${most}y`)),
    `${most.slice(1)}…`,
  );
});

Deno.test("sentenceOf() tells an error's first line without its paths", () => {
  const engine = "Exception during initialization: /src/core/frame.cc:74 " +
    "onnxruntime::Frame::Info(const std::vector<int>&) [ONNXRuntimeError] : 1 " +
    ": FAIL : Failed to get the path: /home/me/tiny/model.safetensors - " +
    "Input/output error";
  const cases: readonly [unknown, string][] = [
    [new Error("EIO: i/o error, read"), "EIO: i/o error, read"],
    [new Error("EIO: i/o error, open '/a/b c'"), "EIO: i/o error, open '… c'"],
    [new Error("No such file: file:///a/b.ts:1:2"), "No such file: …:1:2"],
    [new Error("read/only or not\nat /a/b"), "read/only or not"],
    [new Error(engine), "Failed to get the path: … - Input/output error"],
    ["at /tmp/x", "at …"],
    [new Error("x".repeat(400)), `${"x".repeat(299)}…`],
  ];
  assert.deepEqual(
    cases.map(([error]) => sentenceOf(error)),
    cases.map(([, sentence]) => sentence),
  );
});
