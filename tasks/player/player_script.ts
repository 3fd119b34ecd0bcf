// Writes down what the player has to learn: the messages that a scripted
// baseline's controller sends, each with the proposal that answers it, and a
// tokenizer made of these texts. See tasks/player/train_player.md.
//
// usage: deno run -A tasks/player/player_script.ts FOLDER

import type { Message } from "../../lib/agent/source.ts";
import { scriptedSource } from "../../lib/source/scripted_source.ts";
import { sha256 } from "../../lib/system/sha256.ts";
import {
  conductBaseline,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { byteLevelTokenizer } from "../byte_level_tokenizer.ts";
import { TaskUsage } from "../usage.ts";

/** One call of a baseline-like run. */
export interface PlayedCall {
  readonly messages: readonly Message[];
  readonly reply: string;
}

/** Token ids of the player's control tokens. */
export const PLAYER_CONTROL: ReadonlyMap<number, string> = new Map([
  [0, "<|endoftext|>"],
  [1, "<|im_start|>"],
  [2, "<|im_end|>"],
]);

/** Token ids of the player's vocabulary. */
const VOCABULARY = 1_024;

/** The calls of the scripted baseline, through the real controller. */
export async function playedCalls(): Promise<readonly PlayedCall[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const calls: PlayedCall[] = [];
  const scripted = scriptedSource(baseline);
  try {
    await conductBaseline(unflushedFiles, folder, {
      source: {
        propose: (request, gate) => {
          calls.push({
            messages: request.messages,
            reply: baseline[calls.length]!,
          });
          return scripted.propose(request, gate);
        },
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return calls;
}

/** SHA-256 over the calls: another one means that the player must learn anew. */
export function playedDigest(calls: readonly PlayedCall[]): string {
  return sha256(JSON.stringify(calls));
}

async function main(): Promise<void> {
  const folder = new TaskUsage(import.meta.url).operands(1, 1)[0]!;
  const calls = await playedCalls();
  const corpus = calls.flatMap(({ messages, reply }) => [
    ...messages.map(({ content }) => content),
    reply,
  ]).join("\n");
  const { tokenizer, config } = byteLevelTokenizer(
    corpus,
    VOCABULARY,
    PLAYER_CONTROL,
  );
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    `${folder}/script.json`,
    `${JSON.stringify(calls, null, 1)}\n`,
  );
  await Deno.writeTextFile(`${folder}/tokenizer.json`, tokenizer);
  await Deno.writeTextFile(`${folder}/tokenizer_config.json`, config);
}

if (import.meta.main) await main();
