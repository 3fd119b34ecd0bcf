// The race sweep's end of its adversary, which is a program of its own.

import assert from "node:assert/strict";
import type { Attack, Hits } from "./race_adversary.ts";

/** The other program. */
export class Adversary implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#input = child.stdin.getWriter();
    this.#lines = lines(child.stdout);
  }

  /** Starts it; it does nothing yet. */
  static async start(): Promise<Adversary> {
    const program = new URL("race_adversary.ts", import.meta.url).pathname;
    const adversary = new Adversary(
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-check", "--allow-all", program],
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      }).spawn(),
    );
    assert.equal(await adversary.#said(), "ready");
    return adversary;
  }

  /** Begins an attack, and doesn't wait for it. */
  begin(attack: Attack): void {
    this.#say(attack);
  }

  /** Ends the attack, and waits for what it did. */
  async rest(): Promise<Hits> {
    this.#say("rest");
    return await this.#said() as Hits;
  }

  /** Ends the program. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#lines.return?.();
    await this.#child.status;
  }

  #say(what: unknown): void {
    const line = new TextEncoder().encode(`${JSON.stringify(what)}\n`);
    void this.#input.write(line);
  }

  async #said(): Promise<unknown> {
    const { done, value } = await this.#lines.next();
    if (done) throw new Error("The adversary has ended");
    return JSON.parse(value);
  }
}

async function* lines(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
}
