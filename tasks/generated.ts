// What follows from tables, so that no copy can go its own way: launcher,
// harness digest, README sections.

import { sha256 } from "../lib/system/sha256.ts";
import { launcherText } from "./launcher.ts";
import { licensesText } from "./build/licenses.ts";
import { readmeText } from "./readme.ts";

/** The Deno version that everything is pinned to. */
export const DENO_VERSION = "2.9.4";

/** The checkout's top folder. */
export const ROOT = new URL("../", import.meta.url);

/** One generated file. */
export interface Generated {
  /** Path below the checkout's top folder. */
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

/** Every generated file, as it should be. */
export async function generatedFiles(): Promise<Generated[]> {
  return [
    {
      path: "tasks/tinycoder",
      text: launcherText(DENO_VERSION),
      mode: 0o755,
    },
    {
      path: "README.md",
      text: readmeText(await Deno.readTextFile(new URL("README.md", ROOT))),
    },
    {
      path: "fixtures/licenses.json",
      text: licensesText(DENO_VERSION),
    },
    {
      path: "fixtures/harness.json",
      text: `${JSON.stringify({ sha256: await harnessDigest() })}\n`,
    },
  ];
}

/**
 * SHA-256 over the harness: path and digest of every source that the program is
 * made of, of the fixtures that decide, and of the locked dependencies.
 */
export async function harnessDigest(): Promise<string> {
  const paths = [
    "main.ts",
    "deno.lock",
    "fixtures/baseline.json",
    "fixtures/cases.json",
    ...await sources("lib"),
    ...await sources("worker"),
  ].sort();
  const lines = await Promise.all(paths.map(async (path) => {
    const bytes = await Deno.readFile(new URL(path, ROOT));
    return `${sha256(bytes)}  ${path}\n`;
  }));
  return sha256(lines.join(""));
}

async function sources(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await sources(path));
    else if (path.endsWith(".ts") && !path.endsWith("_test.ts")) {
      found.push(path);
    }
  }
  return found;
}
