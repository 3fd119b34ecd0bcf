// A runtime base for tests where Deno's own download can't be reached and npm
// can. A program that another project compiled with the same Deno, and
// publishes on npm, begins with that base; `deno compile` has appended the
// program and changed four fields of the ELF header. The result's digest is
// pinned. It is never part of a release: those take Deno's own download.

import { ROOT_PATH } from "../tasks/build/files.ts";

const BASE = {
  platform: "x86_64-unknown-linux-gnu",
  package: "@chelonia/cli-x64-linux@3.4.0",
  file: "package/chel",
  /** In bytes. */
  size: 107_594_120,
  /** The header's fields as they were: offset, and little-endian bytes. */
  header: [
    { field: "program headers' offset", at: 32, bytes: [0x40, 0, 0, 0] },
    { field: "section headers' offset", at: 40, bytes: [8, 0xb8, 0x69, 6] },
    { field: "count of program headers", at: 56, bytes: [12] },
    { field: "count of section headers", at: 60, bytes: [38] },
  ],
  sha256: "723d45cca4f68bd66652da1e0d45562b0700317c1535981035f50f078785a131",
} as const;

/**
 * Path of a recovered base, which is kept in `dist/`.
 *
 * @throws {Error} saying what to do, where none can be had.
 */
export async function recoverRuntimeBase(): Promise<string> {
  const path = `${ROOT_PATH}dist/test-runtime-base`;
  if (await isBase(path)) return path;
  if (Deno.build.target !== BASE.platform) {
    throw new Error(
      "No runtime base: Deno can't download one here. " +
        "Set DENORT_BIN to the path of one.",
    );
  }
  const folder = Deno.makeTempDirSync({ prefix: "tinycoder-base-" });
  try {
    await run(folder, "npm", ["pack", "--silent", BASE.package]);
    const [archive] = [...Deno.readDirSync(folder)];
    await run(folder, "tar", ["-xzf", archive?.name ?? "", BASE.file]);
    const base = Deno.readFileSync(`${folder}/${BASE.file}`)
      .slice(0, BASE.size);
    for (const { at, bytes } of BASE.header) base.set(bytes, at);
    Deno.mkdirSync(`${ROOT_PATH}dist`, { recursive: true });
    const part = `${path}.${crypto.randomUUID()}.part`;
    Deno.writeFileSync(part, base, { mode: 0o755 });
    Deno.renameSync(part, path);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  if (await isBase(path)) return path;
  throw new Error(`"${BASE.package}" doesn't hold the runtime base any more`);
}

async function isBase(path: string): Promise<boolean> {
  try {
    const digest = await crypto.subtle.digest(
      "SHA-256",
      Deno.readFileSync(path),
    );
    return new Uint8Array(digest).toHex() === BASE.sha256;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function run(cwd: string, program: string, args: string[]) {
  const { success, stderr } = await new Deno.Command(program, { args, cwd })
    .output();
  if (success) return;
  throw new Error(
    `No runtime base: ${program} ${args.join(" ")} failed: ` +
      `${new TextDecoder().decode(stderr).trim()}. ` +
      "Set DENORT_BIN to the path of one.",
  );
}
