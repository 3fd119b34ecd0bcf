// deno-lint-ignore-file no-console -- a task speaks on the console
// Measures the model, interleaved with the lab's reference adapter where PyTorch
// is there to run it.
//
// usage: deno run -A tasks/bench_model.ts FOLDER MANIFEST [--rounds N]
//        [--python FILE] [--growth]
//
// MANIFEST is the checkpoint's, as `--checkpoint` takes it; a checkpoint of the
// pinned size comes from tasks/make_checkpoint.ts. Each side runs in a process
// of its own, one after the other in every round; figures are medians.

import { parseArgs } from "node:util";
import type { Message } from "../lib/agent/source.ts";
import { type PlayedCall, playedCalls } from "./player_script.ts";

interface Asked {
  readonly messages: readonly Message[];
  readonly new_tokens: number;
  readonly exactly: boolean;
}

interface Answered {
  readonly ms: number;
  readonly input_tokens: number;
  readonly output_ids: readonly number[];
  readonly peak_bytes: number;
  /** Of our own side only. */
  readonly reused_tokens?: number;
  readonly memory_bytes?: number;
}

/** A side that is measured: a process that answers lines of JSON with others. */
class Side {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;

  constructor(command: string, args: readonly string[]) {
    this.#child = new Deno.Command(command, {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#lines = lines(this.#child.stdout);
    this.#input = this.#child.stdin.getWriter();
  }

  async ready(): Promise<number> {
    const { ready_ms } = JSON.parse((await this.#lines.next()).value);
    return ready_ms;
  }

  async ask(asked: Asked): Promise<Answered> {
    await this.#input.write(
      new TextEncoder().encode(`${JSON.stringify(asked)}\n`),
    );
    return JSON.parse((await this.#lines.next()).value);
  }

  async end(): Promise<void> {
    await this.#input.close();
    await this.#child.status;
  }
}

async function* lines(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}

/** Messages of about `tokens` tokens that no earlier call has a prefix of. */
function filler(tokens: number, salt: string): readonly Message[] {
  // One token a word for the pinned tokenizer, and 20 for the template.
  return [
    { role: "system", content: `${salt} filler` },
    { role: "user", content: " a".repeat(tokens - 20) },
  ];
}

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

async function growth(side: Side): Promise<void> {
  await side.ready();
  console.log("input tokens   prefill ms   ms a token");
  for (const tokens of [256, 512, 768, 1_024, 1_280, 1_536, 1_792, 2_000]) {
    const { ms, input_tokens } = await side.ask({
      messages: filler(tokens, `growth ${tokens}`),
      new_tokens: 1,
      exactly: true,
    });
    console.log(
      `${pad(input_tokens, 12)} ${pad(Math.round(ms), 12)} ${
        pad((ms / input_tokens).toFixed(2), 12)
      }`,
    );
  }
  console.log("output tokens, after 512   ms   ms a token");
  for (const count of [1, 16, 32, 64, 96, 128]) {
    const { ms, output_ids } = await side.ask({
      messages: filler(512, `growth out ${count}`),
      new_tokens: count,
      exactly: true,
    });
    console.log(
      `${pad(output_ids.length, 24)} ${pad(Math.round(ms), 4)} ${
        pad((ms / output_ids.length).toFixed(1), 12)
      }`,
    );
  }
  await side.end();
}

const pad = (value: string | number, width: number) =>
  String(value).padStart(width);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
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

const { positionals: [folder, manifest], values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    python: { type: "string" },
    growth: { type: "boolean", default: false },
  },
});
if (folder === undefined || manifest === undefined) {
  throw new TypeError(
    "usage: bench_model.ts FOLDER MANIFEST [--rounds N] [--python FILE] [--growth]",
  );
}

const here = new URL(".", import.meta.url).pathname;
const ownSide = () =>
  new Side(Deno.execPath(), [
    "run",
    "--quiet",
    "--no-check",
    "--allow-all",
    `${here}bench_model_side.ts`,
    folder,
    manifest,
  ]);

if (values.growth) {
  await growth(ownSide());
} else {
  const trial = await playedCalls();
  const [ours, theirs]: [Figures[], Figures[]] = [[], []];
  for (let round = 1; round <= Number(values.rounds); round++) {
    ours.push(await measure(ownSide(), `round ${round}`, trial));
    if (values.python === undefined) continue;
    const side = new Side(values.python, [`${here}lab_adapter.py`, folder]);
    theirs.push(await measure(side, `round ${round}`, trial));
  }
  console.log(
    `Times in ms, medians of ${values.rounds} rounds; load of the machine at the end ${
      Deno.loadavg().map((load) => load.toFixed(2)).join(" ")
    }`,
  );
  report(ours, theirs);
}
