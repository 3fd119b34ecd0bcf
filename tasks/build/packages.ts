// The packages that a binary carries: of each only the files that are loaded at
// run time. The layout and a lock file reduced to them are Deno's own, so that
// the runtime resolves packages from its lock alone: with a plain node_modules
// folder it would search the folders around the program's for a package.json,
// the folder for temporary files among them, where anybody may put one.

import { ROOT_PATH } from "./files.ts";
import { copyTree } from "./files.ts";

/** One package of the binary. */
interface EmbeddedPackage {
  readonly name: string;
  /** Its files that are loaded at run time; every package.json always is. */
  readonly keep: RegExp;
  /** Whether it is a stand-in of ours, linked in deno.json. */
  readonly standIn?: true;
}

/** The packages of the binary, those that packages need included. */
export const EMBEDDED_PACKAGES: readonly EmbeddedPackage[] = [
  {
    name: "@huggingface/transformers",
    keep: /^dist\/transformers\.node\.mjs$/,
  },
  { name: "@noble/hashes", keep: /^[^/]+\.js$/ },
  { name: "canonicalize", keep: /^lib\/.*\.js$/ },
  { name: "commander", keep: /\.js$/ },
  { name: "fastest-levenshtein", keep: /^(esm\/)?mod\.js$/ },
  // Its modules name their source maps, which would else be looked for in the
  // folder for temporary files.
  { name: "onnxruntime-common", keep: /^dist\/(cjs|esm)\/.*\.js(\.map)?$/ },
  { name: "onnxruntime-node", keep: /^dist\/.*\.js(\.map)?$/ },
  { name: "sharp", keep: /\.js$/, standIn: true },
  { name: "zod", keep: /^(index|(v4|locales)\/.*)\.js$/ },
];

/** As `deno.lock` has it. */
interface Lock {
  readonly version: string;
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<
    Record<
      string,
      {
        readonly integrity?: string;
        readonly dependencies?: readonly string[];
      }
    >
  >;
  readonly workspace: {
    readonly links: Readonly<Record<string, unknown>>;
  };
}

/** A package's name and version, as the lock file joins them. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Folder below node_modules where it is installed. */
  readonly folder: string;
}

/**
 * A package as the lock file has it.
 *
 * @throws {Error} if it has it not, or in more than one version.
 */
export function lockedPackage(name: string): LockedPackage {
  const found = Object.keys(readLock().npm).filter((key) =>
    nameOf(key) === name
  );
  const [key, ...more] = found;
  if (key === undefined || more.length > 0) {
    throw new Error(
      `Cannot embed "${name}": deno.lock has ${found.length} versions of it`,
    );
  }
  return {
    name,
    version: key.slice(name.length + 1),
    folder: `.deno/${key.replace("/", "+")}/node_modules/${name}`,
  };
}

/**
 * The registry's packages in a binary, each with the SHA-512 of the archive
 * that it came in, as the lock file has it.
 *
 * @throws {Error} if the lock file doesn't have it.
 */
export function embeddedPackages(): readonly (LockedPackage & {
  readonly sha512: string;
})[] {
  const { npm } = readLock();
  return EMBEDDED_PACKAGES.filter(({ standIn }) => !standIn).map(({ name }) => {
    const locked = lockedPackage(name);
    const { integrity = "" } = npm[`${name}@${locked.version}`] ?? {};
    const [algorithm, digest] = integrity.split(/-(.*)/);
    if (algorithm !== "sha512" || digest === undefined) {
      throw new Error(`deno.lock has no SHA-512 of "${name}"`);
    }
    return { ...locked, sha512: Uint8Array.fromBase64(digest).toHex() };
  });
}

/**
 * Lays the packages out, with the configuration and the lock that name them.
 *
 * @returns Their size in bytes.
 * @throws {Error} if one isn't installed.
 */
export function stagePackages(stage: string): number {
  let bytes = 0;
  for (const { name, keep, standIn } of EMBEDDED_PACKAGES) {
    if (standIn) continue; // Deno lays it out by its link
    const { folder } = lockedPackage(name);
    bytes += copyTree(
      `${ROOT_PATH}node_modules/${folder}`,
      `${stage}/node_modules/${folder}`,
      // One further down may say of what kind the modules beside it are.
      (path) => /(^|\/)package\.json$/.test(path) || keep.test(path),
    );
    const store = folder.slice(0, folder.indexOf("/node_modules/"));
    Deno.writeTextFileSync(`${stage}/node_modules/${store}/.initialized`, "");
  }
  const { configuration, lock } = reduced();
  Deno.writeTextFileSync(`${stage}/deno.json`, JSON.stringify(configuration));
  Deno.writeTextFileSync(`${stage}/deno.lock`, JSON.stringify(lock));
  return bytes;
}

/** The checkout's settings and lock, without what isn't embedded. */
function reduced(): { configuration: unknown; lock: unknown } {
  const names = new Set(EMBEDDED_PACKAGES.map(({ name }) => name));
  const { unstable, imports, links, compilerOptions } = JSON.parse(
    Deno.readTextFileSync(`${ROOT_PATH}deno.json`),
  );
  const kept = Object.entries<string>(imports)
    .filter(([name]) => names.has(name));
  const wanted = kept.map(([, specifier]) => specifier).sort();
  const { version, specifiers, npm, workspace } = readLock();
  return {
    configuration: {
      nodeModulesDir: "auto",
      unstable,
      imports: Object.fromEntries(kept),
      links: links.filter((path: string) =>
        names.has(path.slice(path.lastIndexOf("/") + 1))
      ),
      compilerOptions,
    },
    lock: {
      version,
      specifiers: Object.fromEntries(
        wanted.map((specifier) => [specifier, specifiers[specifier]]),
      ),
      npm: Object.fromEntries(
        Object.entries(npm).filter(([key]) => names.has(nameOf(key)))
          .map(([key, entry]) => [key, {
            ...entry,
            dependencies: entry.dependencies?.filter((one) => names.has(one)),
          }]),
      ),
      workspace: {
        dependencies: wanted,
        links: Object.fromEntries(
          Object.entries(workspace.links).filter(([key]) =>
            names.has(nameOf(key.replace(/^npm:/, "")))
          ),
        ),
      },
    },
  };
}

function readLock(): Lock {
  return JSON.parse(Deno.readTextFileSync(`${ROOT_PATH}deno.lock`));
}

/** `@scope/name` of `@scope/name@1.2.3`. */
function nameOf(key: string): string {
  return key.slice(0, key.lastIndexOf("@"));
}
