// The player: a tiny network that knows the baseline's six replies by heart
// (tasks/player/train_player.md), unpacked where a trial expects it.

import { gunzipSync } from "node:zlib";
import { WEIGHTS_FILE } from "../lib/model/checkpoint_files.ts";
import { readSafetensorsHeader } from "../lib/model/safetensors_header.ts";
import { sha256 } from "../lib/system/sha256.ts";

const CHECKPOINT = new URL("../fixtures/checkpoint/", import.meta.url);

/** The words of a trial with the player. */
export const PLAYER_TRIAL = [
  ...["--run", "trial", "--model-directory", "player"],
  ...["--checkpoint", "player.json"],
  ...["--extension", "a network trained to play the baseline"],
  "--yes",
] as const;

/** SHA-256 over what the player has learned: `playedDigest()` of that day. */
export function learnedDigest(): string {
  return Deno.readTextFileSync(new URL("player.script.sha256", CHECKPOINT))
    .trimEnd();
}

/**
 * Puts the player where {@link PLAYER_TRIAL} expects it.
 *
 * @param zeroed Name of a tensor that becomes all zeros; the manifest then
 *   declares the weights as they have become.
 */
export function unpackPlayer(
  folder: string,
  zeroed: string | null = null,
): void {
  const manifest = JSON.parse(
    Deno.readTextFileSync(new URL("player.json", CHECKPOINT)),
  );
  Deno.mkdirSync(`${folder}/player`);
  for (const file of manifest.files) {
    const bytes = packedFile(file.name);
    if (file.name === WEIGHTS_FILE && zeroed !== null) {
      zeroTensor(bytes, zeroed);
      manifest.label = `player with zeros for ${zeroed}`;
      file.sha256 = sha256(bytes);
    }
    Deno.writeFileSync(`${folder}/player/${file.name}`, bytes);
  }
  Deno.writeTextFileSync(`${folder}/player.json`, JSON.stringify(manifest));
}

function packedFile(name: string): Uint8Array {
  const file = (name: string) =>
    Deno.readFileSync(new URL(`player/${name}`, CHECKPOINT));
  return name === WEIGHTS_FILE ? gunzipSync(file(`${name}.gz`)) : file(name);
}

function zeroTensor(weights: Uint8Array, name: string): void {
  const tensors = readSafetensorsHeader(
    weights.length,
    (offset, length) => weights.subarray(offset, offset + length),
  );
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new RangeError(`No tensor "${name}"`);
  weights.fill(0, tensor.offset, tensor.offset + tensor.length);
}
