// Puts a trained player among the fixtures, with its manifest and the digest of
// what it has learned. See tasks/train_player.md.
//
// usage: deno run -A tasks/pack_player.ts FOLDER OUT
//
// FOLDER is where tasks/player_script.ts wrote, OUT is what was trained.

import { sha256 } from "../lib/system/sha256.ts";
import { playedCalls, playedDigest, PLAYER_CONTROL } from "./player_script.ts";

const FILES = [
  "config.json",
  "generation_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "model.safetensors",
];

const [folder, trained] = Deno.args;
if (folder === undefined || trained === undefined) {
  throw new TypeError("usage: pack_player.ts FOLDER OUT");
}

const calls = await playedCalls();
if (
  JSON.stringify(
    JSON.parse(await Deno.readTextFile(`${folder}/script.json`)),
  ) !== JSON.stringify(calls)
) {
  throw new Error(
    `Cannot pack the player: "${folder}/script.json" isn't what a baseline asks today. Train it anew`,
  );
}

const target =
  new URL("../fixtures/checkpoint/player", import.meta.url).pathname;
await Deno.mkdir(target, { recursive: true });
const files = [];
for (const name of FILES) {
  const bytes = await Deno.readFile(`${trained}/${name}`);
  await Deno.writeFile(`${target}/${name}`, bytes, { mode: 0o644 });
  files.push({ name, bytes: bytes.length, sha256: sha256(bytes) });
}
const [other, , end] = [...PLAYER_CONTROL.keys()];
const manifest = {
  label: "player",
  files,
  token_ids: { begin: other, pad: other, end: [end, other] },
};
await Deno.writeTextFile(
  `${target}.json`,
  `${JSON.stringify(manifest, null, 2)}\n`,
);
await Deno.writeTextFile(`${target}.script.sha256`, `${playedDigest(calls)}\n`);
