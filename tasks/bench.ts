// What the README claims about speed, measured here and now.
//
// usage: deno task bench [ROUNDS]
//        deno task bench --model FOLDER MANIFEST [--rounds N] [--python FILE]
//        deno task bench --model FOLDER MANIFEST [--rounds N] --growth
//
// The first measures the harness; the second the model in FOLDER, which MANIFEST
// declares as `--checkpoint` takes it, beside the lab's reference adapter where
// FILE is a Python with PyTorch; the third how its time grows with the prompt and
// with the output.
//
// Alternatives take turns in the same run, so that a ratio holds where the
// machine's speed drifts. tasks/make_checkpoint.ts makes a checkpoint of the
// pinned size.

import { TaskUsage } from "./usage.ts";

const usage = new TaskUsage(import.meta.url);
const { operands, options } = usage.read([0, 2], {
  model: { type: "boolean", default: false },
  rounds: { type: "string" },
  python: { type: "string" },
  growth: { type: "boolean", default: false },
});
const { model, rounds, python, growth } = options;

if (model) {
  if (growth && python !== undefined) {
    usage.refuse("--growth measures this program alone, without --python");
  }
  const bench = {
    folder: usage.present("FOLDER", operands[0], "folder"),
    manifest: usage.present("MANIFEST", operands[1], "file"),
    rounds: usage.whole("--rounds", rounds, 3),
  };
  if (python !== undefined) usage.present("--python", python, "file");
  if (growth) {
    const { benchGrowth } = await import("./bench/growth.ts");
    await benchGrowth(bench);
  } else {
    const { benchModel } = await import("./bench/model.ts");
    await benchModel({ ...bench, python: python ?? null });
  }
} else {
  const [typed, ...more] = operands;
  if (
    more.length > 0 || python !== undefined || growth || rounds !== undefined
  ) {
    usage.refuse("Only with --model is there anything but ROUNDS");
  }
  const count = usage.whole("ROUNDS", typed, 15);
  const { benchHarness } = await import("./bench/harness.ts");
  await benchHarness(count);
}
