// The inputs that a target begins with: small files of our own.

/** Folder with a folder of seeds a target. */
export const SEED_ROOT: string = new URL(
  "../../fixtures/fuzz/",
  import.meta.url,
).pathname;

/** A target's seeds, by name; a name's ending says what a file holds. */
export function readSeeds(target: string): readonly Uint8Array[] {
  const folder = `${SEED_ROOT}${target}`;
  return [...Deno.readDirSync(folder)]
    .filter(({ isFile }) => isFile)
    .map(({ name }) => name)
    .sort()
    .map((name) => Deno.readFileSync(`${folder}/${name}`));
}
