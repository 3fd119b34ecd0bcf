// Everything that a binary carries, laid out in a fresh folder: own modules,
// fixtures, packages, the engine. Only what is copied can get in; names, bytes
// and times are the same wherever and whenever it is done, and so is the binary.

import { ENGINE_FILES } from "../../lib/model/engine.ts";
import { sha256 } from "../../lib/system/sha256.ts";
import { copyTree, ROOT_PATH } from "./files.ts";
import { lockedPackage, stagePackages } from "./packages.ts";
import type { BuildTarget } from "./targets.ts";

/**
 * What of the checkout a binary carries: files, and folders' files. Of the
 * fixtures those that the program itself reads; the others are its tests'.
 */
export const OWN_PARTS = [
  "main.ts",
  "lib",
  "worker",
  "fixtures/baseline.json",
  "fixtures/cases.json",
  "fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json",
  "fixtures/harness.json",
  "fixtures/licenses.json",
  "fixtures/scenarios",
] as const;

/** How many bytes were laid out, by what they are. */
export interface StagedBytes {
  readonly packages: number;
  readonly engine: number;
}

/**
 * Lays out a binary's content.
 *
 * @param folder An empty folder.
 * @throws {Error} if the installed engine isn't the one that the program knows.
 */
export function stageProgram(
  folder: string,
  target: BuildTarget,
): StagedBytes {
  for (const part of OWN_PARTS) {
    copyTree(`${ROOT_PATH}${part}`, `${folder}/${part}`, isProduct);
  }
  const packages = stagePackages(folder);
  return { packages, engine: stageEngine(folder, target) };
}

/**
 * Every file that a binary carries of a part of the checkout, sorted.
 *
 * @param part A path below the checkout's top folder.
 */
export function ownFiles(part: string): string[] {
  const path = `${ROOT_PATH}${part}`;
  if (!Deno.statSync(path).isDirectory) return isProduct(part) ? [part] : [];
  return [...Deno.readDirSync(path)].filter(({ isSymlink }) => !isSymlink)
    .map(({ name }) => `${part}/${name}`).sort().flatMap(ownFiles);
}

/** Tests stay out. */
function isProduct(path: string): boolean {
  return !path.endsWith("_test.ts");
}

function stageEngine(stage: string, { engine }: BuildTarget): number {
  const { folder } = lockedPackage("onnxruntime-node");
  const place = `node_modules/${folder}/bin/napi-v6/${engine}`;
  Deno.mkdirSync(`${stage}/${place}`, { recursive: true });
  let bytes = 0;
  for (const [name, digest] of Object.entries(ENGINE_FILES[engine] ?? {})) {
    const file = Deno.readFileSync(`${ROOT_PATH}${place}/${name}`);
    if (sha256(file) !== digest) {
      throw new Error(
        `The installed engine file "${name}" isn't the one that ` +
          "lib/model/engine.ts has the digest of",
      );
    }
    Deno.writeFileSync(`${stage}/${place}/${name}`, file);
    bytes += file.length;
  }
  return bytes;
}
