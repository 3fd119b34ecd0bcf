// Both sides of a measurement of the model: processes that answer a line of JSON
// with another, one question at a time.

import type { Message } from "../../lib/agent/source.ts";

/** A model, and how often it is measured. */
export interface ModelBench {
  /** The model's folder. */
  readonly folder: string;
  /** Path of its manifest. */
  readonly manifest: string;
  readonly rounds: number;
}

/** One generation to be timed. */
export interface Asked {
  readonly messages: readonly Message[];
  readonly new_tokens: number;
  /** Whether an end token is no end. */
  readonly exactly: boolean;
}

/** What it took. */
export interface Answered {
  readonly ms: number;
  readonly input_tokens: number;
  readonly output_ids: readonly number[];
  readonly peak_bytes: number;
  /** Of our own side only. */
  readonly reused_tokens?: number;
  readonly memory_bytes?: number;
}

/** A side that is measured. */
export class Side {
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

  /** Milliseconds from its start until it could be asked. */
  async ready(): Promise<number> {
    const { ready_ms } = JSON.parse((await this.#lines.next()).value);
    return ready_ms;
  }

  /** Asks, and waits for the answer. */
  async ask(asked: Asked): Promise<Answered> {
    await this.#input.write(
      new TextEncoder().encode(`${JSON.stringify(asked)}\n`),
    );
    return JSON.parse((await this.#lines.next()).value);
  }

  /** Ends it. */
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

/** The worker of the program, measured. */
export function ownSide({ folder, manifest }: ModelBench): Side {
  return new Side(Deno.execPath(), [
    "run",
    "--quiet",
    "--no-check",
    "--allow-all",
    new URL("model_side.ts", import.meta.url).pathname,
    folder,
    manifest,
  ]);
}

/** The lab's reference adapter, in a Python that has PyTorch. */
export function adapterSide({ folder }: ModelBench, python: string): Side {
  const script = new URL("lab_adapter.py", import.meta.url).pathname;
  return new Side(python, [script, folder]);
}

/** Messages of about `tokens` tokens that no earlier call has a prefix of. */
export function filler(tokens: number, salt: string): readonly Message[] {
  // One token a word for the pinned tokenizer, and 20 for the template.
  return [
    { role: "system", content: `${salt} filler` },
    { role: "user", content: " a".repeat(tokens - 20) },
  ];
}
