// What the README claims about speed, measured here and now:
//
// deno task bench [ROUNDS]
//     the harness
// deno task bench --model FOLDER MANIFEST [--rounds N] [--python FILE] [--growth]
//     the model in FOLDER, which MANIFEST declares as `--checkpoint` takes it;
//     beside the lab's reference adapter where FILE is a Python with PyTorch;
//     or how its time grows with the prompt and with the output
//
// Alternatives take turns in the same run, so that a ratio holds where the
// machine's speed drifts. tasks/make_checkpoint.ts makes a checkpoint of the
// pinned size.

import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    model: { type: "boolean", default: false },
    rounds: { type: "string" },
    python: { type: "string" },
    growth: { type: "boolean", default: false },
  },
});
const { model, rounds, python, growth } = values;

if (model) {
  const [folder, manifest] = positionals;
  if (folder === undefined || manifest === undefined) {
    throw new TypeError(
      "usage: deno task bench --model FOLDER MANIFEST " +
        "[--rounds N] [--python FILE] [--growth]",
    );
  }
  const bench = { folder, manifest, rounds: Number(rounds ?? 3) };
  if (growth) {
    const { benchGrowth } = await import("./bench/growth.ts");
    await benchGrowth(bench);
  } else {
    const { benchModel } = await import("./bench/model.ts");
    await benchModel({ ...bench, python: python ?? null });
  }
} else {
  const { benchHarness } = await import("./bench/harness.ts");
  await benchHarness(Number(rounds ?? positionals[0] ?? 15));
}
