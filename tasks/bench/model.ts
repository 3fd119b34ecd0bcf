// deno-lint-ignore-file no-console -- a task speaks on the console
// Measures the model, interleaved with the lab's reference adapter where PyTorch
// is there to run it: `deno task bench --model`. Each side runs in a process of
// its own, one after the other in every round; figures are medians.

import { median } from "./figures.ts";
import {
  adapterSide,
  filler,
  type ModelBench,
  ownSide,
  type Side,
} from "./side.ts";
import { type PlayedCall, playedCalls } from "../player/player_script.ts";

const PREFILLS = [512, 1_024, 2_000];
const DECODES = [512, 2_000];
const DECODED = 33;

/** Characters of a proposal that the pinned tokenizer makes one token of. */
const TEXT_PER_TOKEN = 3.3;

type Figures = Map<string, number>;

async function measure(
  side: Side,
  salt: string,
  trial: readonly PlayedCall[],
): Promise<Figures> {
  const figures: Figures = new Map();
  const ready = await side.ready();
  figures.set("ready", ready);
  // The trial comes first: loading ends when the first answer can begin.
  let total = ready;
  for (const [index, { messages, reply }] of trial.entries()) {
    const tokens = Math.ceil(reply.length / TEXT_PER_TOKEN);
    const { ms, input_tokens, reused_tokens, memory_bytes } = await side.ask({
      messages,
      new_tokens: tokens,
      exactly: true,
    });
    total += ms;
    figures.set(
      `trial call ${index + 1} (${input_tokens} in, ${tokens} out)`,
      ms,
    );
    if (memory_bytes !== undefined) {
      figures.set(`trial call ${index + 1} memory in MB`, memory_bytes / 1e6);
    }
    if (reused_tokens !== undefined) {
      figures.set(`trial call ${index + 1} reused tokens`, reused_tokens);
    }
  }
  figures.set("trial with loading", total);
  figures.set("trial without loading", total - ready);
  let peak = 0;
  for (const tokens of PREFILLS) {
    const messages = filler(tokens, `${salt} prefill ${tokens}`);
    const { ms, peak_bytes } = await side.ask({
      messages,
      new_tokens: 1,
      exactly: true,
    });
    figures.set(`prefill ${tokens}`, ms);
    peak = peak_bytes;
  }
  for (const tokens of DECODES) {
    const asked = (count: number, call: number) => ({
      messages: filler(tokens, `${salt} decode ${tokens} ${call}`),
      new_tokens: count,
      exactly: true,
    });
    const one = await side.ask(asked(1, 1));
    const many = await side.ask(asked(DECODED, 2));
    figures.set(
      `decode a token at ${tokens}`,
      (many.ms - one.ms) / (many.output_ids.length - 1),
    );
    peak = Math.max(peak, many.peak_bytes);
  }
  figures.set("peak memory in MB", peak / 1e6);
  await side.end();
  return figures;
}

/** Measures a six-call trial, prefill, decode and memory, and prints. */
export async function benchModel(
  bench: ModelBench & { readonly python: string | null },
): Promise<void> {
  const { rounds, python } = bench;
  const trial = await playedCalls();
  const [ours, theirs]: [Figures[], Figures[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    ours.push(await measure(ownSide(bench), `round ${round}`, trial));
    if (python === null) continue;
    const side = adapterSide(bench, python);
    theirs.push(await measure(side, `round ${round}`, trial));
  }
  console.log(
    `Times in ms, medians of ${rounds} rounds; load of the machine at the end ${
      Deno.loadavg().map((load) => load.toFixed(2)).join(" ")
    }`,
  );
  report(ours, theirs);
}

function report(ours: readonly Figures[], theirs: readonly Figures[]): void {
  const of = (all: readonly Figures[], key: string) => {
    const values = all.flatMap((figures) => figures.get(key) ?? []);
    return values.length === 0 ? null : median(values);
  };
  console.log(
    `${"".padEnd(36)}${pad("here", 10)}${pad("adapter", 10)}${pad("ratio", 8)}`,
  );
  for (const key of ours[0]!.keys()) {
    const [mine, other] = [of(ours, key)!, of(theirs, key)];
    const shown = other === null
      ? ""
      : `${pad(other.toFixed(0), 10)}${pad((mine / other).toFixed(2), 8)}`;
    console.log(
      `${key.padEnd(36)}${
        pad(mine.toFixed(key.startsWith("decode") ? 1 : 0), 10)
      }${shown}`,
    );
  }
}

const pad = (value: string | number, width: number) =>
  String(value).padStart(width);
