// Puts a trained player among the fixtures: its small files as they are, its
// weights compressed, its manifest, and the digest of what it has learned. See
// tasks/player/train_player.md.
//
// usage: deno run -A tasks/player/pack_player.ts FOLDER OUT
//
// FOLDER is where tasks/player/player_script.ts wrote, OUT is what was trained.

import { gzipSync } from "node:zlib";
import { WEIGHTS_FILE } from "../../lib/model/checkpoint_files.ts";
import { sha256 } from "../../lib/system/sha256.ts";
import { TaskUsage } from "../usage.ts";
import { playedCalls, playedDigest, PLAYER_CONTROL } from "./player_script.ts";

/** What it is, in whatever record a run of it leaves. */
const LABEL = "player: knows the baseline's six replies by heart, nothing else";

const SMALL_FILES = [
  "config.json",
  "generation_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];

const usage = new TaskUsage(import.meta.url);
const [typedFolder, typedOut] = usage.operands(2, 2);
const folder = usage.present("FOLDER", typedFolder, "folder");
const trained = usage.present("OUT", typedOut, "folder");

const calls = await playedCalls();
const learned = JSON.parse(await Deno.readTextFile(`${folder}/script.json`));
if (JSON.stringify(learned) !== JSON.stringify(calls)) {
  throw new Error(
    `Cannot pack the player: "${folder}/script.json" isn't what a baseline asks today. Train it anew`,
  );
}

const target =
  new URL("../../fixtures/checkpoint/player", import.meta.url).pathname;
await Deno.mkdir(target, { recursive: true });
const files = [];
for (const name of [...SMALL_FILES, WEIGHTS_FILE]) {
  const bytes = await Deno.readFile(`${trained}/${name}`);
  await (name === WEIGHTS_FILE
    ? Deno.writeFile(`${target}/${name}.gz`, gzipSync(bytes, { level: 9 }))
    : Deno.writeFile(`${target}/${name}`, bytes));
  files.push({ name, bytes: bytes.length, sha256: sha256(bytes) });
}
const [other, , end] = [...PLAYER_CONTROL.keys()];
const manifest = {
  label: LABEL,
  files,
  token_ids: { begin: other, pad: other, end: [end, other] },
};
await Deno.writeTextFile(
  `${target}.json`,
  `${JSON.stringify(manifest, null, 2)}\n`,
);
await Deno.writeTextFile(`${target}.script.sha256`, `${playedDigest(calls)}\n`);
