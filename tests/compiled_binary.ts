// The compiled program for tests: built once for a state of the checkout, and
// kept in `dist/` until another state is built.

import { buildBinary } from "../tasks/build/binary.ts";
import { NotBuilt } from "../tasks/build/not_built.ts";
import { ownTarget } from "../tasks/build/targets.ts";
import { ROOT_PATH } from "../tasks/build/files.ts";
import { DENO_VERSION, ROOT } from "../tasks/generated.ts";
import { sha256 } from "../lib/system/sha256.ts";
import { recoverRuntimeBase } from "./recovered_base.ts";

/** What a binary is made of, and made by. */
const INGREDIENTS = [
  "deno.json",
  "deno.lock",
  "main.ts",
  "lib",
  "worker",
  "fixtures",
  "tasks/build/binary.ts",
  "tasks/build/files.ts",
  "tasks/build/not_built.ts",
  "tasks/build/packages.ts",
  "tasks/build/stage.ts",
  "tasks/build/targets.ts",
  "tasks/build/denort.ts",
];

/** How long another test run may still need its binary, in milliseconds. */
const KEPT_MS = 5 * 60_000;

/**
 * Path of the binary of this checkout as it is now.
 *
 * @throws {Error} if no runtime base can be had.
 */
export async function compiledBinary(): Promise<string> {
  const kept = `${ROOT_PATH}dist/test`;
  const folder = `${kept}/${ingredientsDigest().slice(0, 16)}`;
  const path = `${folder}/tinycoder`;
  if (exists(path)) return path;
  removeOld(kept);
  Deno.mkdirSync(folder, { recursive: true });
  await withRuntimeBase(() => buildBinary(ownTarget(), path));
  return path;
}

/**
 * Builds with $DENORT_BIN or Deno's own download, or, where neither can be had,
 * with a base from an npm package.
 */
export async function withRuntimeBase<T>(build: () => Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof NotBuilt) || Deno.env.has("DENORT_BIN")) throw error;
    Deno.env.set("DENORT_BIN", await recoverRuntimeBase());
    return await build();
  }
}

function ingredientsDigest(): string {
  const parts = INGREDIENTS.flatMap((part) => listing(part)).join("\n");
  return sha256(`${DENO_VERSION}\n${parts}`);
}

function listing(path: string): string[] {
  const url = new URL(path, ROOT);
  if (!Deno.statSync(url).isDirectory) {
    return [`${path} ${sha256(Deno.readFileSync(url))}`];
  }
  return [...Deno.readDirSync(url)].map(({ name }) => name).sort()
    .flatMap((name) => name.endsWith("_test.ts") ? [] : [`${path}/${name}`])
    .flatMap(listing);
}

function removeOld(folder: string): void {
  if (!exists(folder)) return;
  for (const { name } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    const { mtime } = Deno.statSync(path);
    if (Date.now() - (mtime?.getTime() ?? 0) < KEPT_MS) continue;
    Deno.removeSync(path, { recursive: true });
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
