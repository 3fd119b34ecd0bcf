// What a build states of its binaries, to be signed: their digests, and every
// file, package and native library that they were made from. In-toto's "link",
// whose words these are: one step, its materials, its products.

import type { JsonObject } from "../../lib/agent/json.ts";
import { ENGINE_FILES } from "../../lib/model/engine.ts";
import { sha256 } from "../../lib/system/sha256.ts";
import { VERSION } from "../../lib/system/version.ts";
import { ROOT_PATH } from "./files.ts";
import { embeddedPackages } from "./packages.ts";
import { OWN_PARTS, ownFiles } from "./stage.ts";
import type { BuildTarget } from "./targets.ts";
import { DENO_VERSION } from "../generated.ts";

/** The predicate that a build's statement carries. */
export const LINK_TYPE = "https://in-toto.io/attestation/link/v0.3";

/** One built binary. */
export interface BuiltFile {
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  readonly target: BuildTarget;
}

/**
 * The statement that binaries of this checkout make.
 *
 * @throws {Error} if a package isn't in the lock file as it should be.
 */
export function buildStatement(files: readonly BuiltFile[]): JsonObject {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: LINK_TYPE,
    predicate: {
      name: "build",
      command: ["deno", "task", "build"],
      materials: [
        ...OWN_PARTS.flatMap(ownFiles).map((name) => ({
          name,
          digest: { sha256: sha256(Deno.readFileSync(`${ROOT_PATH}${name}`)) },
        })),
        ...embeddedPackages().map(({ name, version, sha512 }) => ({
          name: `npm:${name}@${version}`,
          digest: { sha512 },
        })),
        ...files.flatMap(({ target }) =>
          Object.entries(ENGINE_FILES[target.engine] ?? {}).map((
            [name, sha256],
          ) => ({ name: `${target.engine}/${name}`, digest: { sha256 } }))
        ),
      ],
      byproducts: {},
      environment: { deno: DENO_VERSION, tinycoder: VERSION },
    },
  };
}
