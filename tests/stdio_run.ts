// The real program with a proposer on its streams that a test plays by hand: it
// holds a run open for as long as the test likes.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import { launch, type Left } from "./launched.ts";

/** A run in the folder `run`, which waits for its next proposal. */
export class StdioRun implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #err: Promise<string>;
  #said: JsonObject[] = [];
  #next = 1;
  #closed = false;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#err = new Response(child.stderr).text();
    this.#lines = child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(lines()).getReader();
  }

  /** Starts a run and waits until it asks for its first proposal. */
  static async begin(folder: string): Promise<StdioRun> {
    const child = launch(
      folder,
      ["--run", "run", "--source", "stdio", "--quiet"],
      { stdin: "piped" },
    );
    const run = new StdioRun(child);
    await run.#until("request");
    return run;
  }

  /** Answers the request that is waiting. */
  async propose(proposal: string): Promise<void> {
    const line = { proposal_number: this.#next++, proposal };
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
    writer.releaseLock();
  }

  /** Answers each request, the last one too, as soon as it is made. */
  async play(proposals: readonly string[]): Promise<void> {
    for (const [at, proposal] of proposals.entries()) {
      if (at > 0) await this.#until("request");
      await this.propose(proposal);
    }
  }

  /** Waits until the program asks for another proposal. */
  async asked(): Promise<void> {
    await this.#until("request");
  }

  /** The last message, as the program said it. */
  last(): JsonObject {
    return this.#said.at(-1) ?? {};
  }

  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Stops reading what the program says. */
  async closeOutput(): Promise<void> {
    this.#closed = true;
    await this.#lines.cancel();
  }

  /** Waits for the end, with the input still open. */
  async left(): Promise<Left> {
    if (!this.#closed) await this.#until("final");
    const { code } = await this.#child.status;
    return { code, out: "", err: await this.#err };
  }

  /** The final report, as the program said it last. */
  final(): JsonObject {
    const last = this.last();
    assert.equal(last["type"], "final");
    return last["final"] as JsonObject;
  }

  /** Kills the program (SIGKILL) and waits until it is gone. */
  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It is gone already.
    }
    await this.#child.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#err;
    await this.#lines.cancel();
    await this.#child.stdin.close().catch(() => {});
  }

  /** Reads until a message of this type, or the end. */
  async #until(type: string): Promise<void> {
    for (;;) {
      const { done, value } = await this.#lines.read();
      if (done) return;
      const message: JsonObject = JSON.parse(value);
      this.#said.push(message);
      if (message["type"] === type) return;
    }
  }
}

function lines(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform: (chunk, controller) => {
      const pieces = (rest + chunk).split("\n");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) controller.enqueue(piece);
    },
  });
}
