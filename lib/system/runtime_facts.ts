// What a run was made with (lab Part 10). No user name, no host name.

import { cpus } from "node:os";
import type { JsonObject } from "../agent/json.ts";
import { VERSION } from "./version.ts";

/** Versions, operating system and CPU of this process. */
export function runtimeFacts(): JsonObject {
  return {
    tinycoder: VERSION,
    deno: Deno.version.deno,
    v8: Deno.version.v8,
    typescript: Deno.version.typescript,
    os: Deno.build.os,
    os_release: Deno.osRelease(),
    arch: Deno.build.arch,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: navigator.hardwareConcurrency,
  };
}
