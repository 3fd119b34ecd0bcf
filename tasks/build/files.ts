// Copies for the build: whole folders, with one time on everything.

import { fileURLToPath } from "node:url";

/** The checkout's top folder, as a path that ends in a slash. */
export const ROOT_PATH: string = fileURLToPath(
  new URL("../../", import.meta.url),
);

/**
 * Copies a file, or a folder's files; links are left out.
 *
 * @param keep Which files, by path below the folder; an only file has none.
 * @returns How many bytes were copied.
 */
export function copyTree(
  from: string,
  to: string,
  keep: (path: string) => boolean,
  path = "",
): number {
  const entry = Deno.statSync(from);
  if (!entry.isDirectory) {
    if (!keep(path)) return 0;
    Deno.mkdirSync(to.slice(0, to.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(to, Deno.readFileSync(from));
    return entry.size;
  }
  let bytes = 0;
  for (const { name, isSymlink } of Deno.readDirSync(from)) {
    if (isSymlink) continue;
    const below = path === "" ? name : `${path}/${name}`;
    bytes += copyTree(`${from}/${name}`, `${to}/${name}`, keep, below);
  }
  return bytes;
}

/** Gives everything in a folder the same modification time: it is embedded. */
export function fixTimes(folder: string): void {
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isSymlink) continue;
    if (isDirectory) fixTimes(path);
    Deno.utimeSync(path, 0, 0);
  }
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export async function fileSha256(path: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    Deno.readFileSync(path),
  );
  return new Uint8Array(digest).toHex();
}
