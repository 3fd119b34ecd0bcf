// The platforms that a binary is built for.

import { ENGINE_FILES } from "../../lib/model/engine.ts";

/** One platform. */
export interface BuildTarget {
  /** Its name in file names. */
  readonly name: string;
  /** As `deno compile --target` calls it. */
  readonly triple: string;
  /** As {@link ENGINE_FILES} and the engine's package call it. */
  readonly engine: string;
}

/** Every platform that `deno task build --all` speaks of. */
export const BUILD_TARGETS: readonly BuildTarget[] = [
  {
    name: "linux-x64",
    triple: "x86_64-unknown-linux-gnu",
    engine: "linux/x64",
  },
  {
    name: "linux-arm64",
    triple: "aarch64-unknown-linux-gnu",
    engine: "linux/arm64",
  },
  { name: "macos-x64", triple: "x86_64-apple-darwin", engine: "darwin/x64" },
  {
    name: "macos-arm64",
    triple: "aarch64-apple-darwin",
    engine: "darwin/arm64",
  },
  {
    name: "windows-x64",
    triple: "x86_64-pc-windows-msvc",
    engine: "win32/x64",
  },
];

/**
 * The platform that this Deno runs on.
 *
 * @throws {Error} if no binary is built for it.
 */
export function ownTarget(): BuildTarget {
  const target = BUILD_TARGETS.find(({ triple }) =>
    triple === Deno.build.target
  );
  if (target === undefined) {
    throw new Error(`No binary is built for ${Deno.build.target}`);
  }
  return target;
}

/** Why no binary may be built for a platform; null where one may. */
export function whyNot({ name, engine }: BuildTarget): string | null {
  if (name.startsWith("windows")) {
    return "the workspace's containment checks are not shown to hold there";
  }
  return engine in ENGINE_FILES
    ? null
    : `lib/model/engine.ts has no digests of an engine for ${engine}`;
}
