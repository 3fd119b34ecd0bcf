// One binary: its content laid out, compiled, and moved to its place.

import { permissionFlags } from "../../lib/system/permissions.ts";
import { fixTimes } from "./files.ts";
import { stageProgram } from "./stage.ts";
import type { BuildTarget } from "./targets.ts";
import { runtimeBase } from "./denort.ts";
import { NotBuilt } from "./not_built.ts";

/** A finished binary. */
export interface BuiltBinary {
  readonly path: string;
  /** Whole size and its known parts, in bytes. */
  readonly bytes: {
    readonly whole: number;
    readonly engine: number;
    readonly packages: number;
    /** Deno's runtime; null where Deno took its own download. */
    readonly runtime: number | null;
  };
}

/** V8 builds no code from text, in no thread: not ours, not a library's. */
const V8_FLAGS = "--disallow-code-generation-from-strings";

/**
 * Modules that are reached at run time only: the workers' entries by their
 * addresses, the scenarios by their folder.
 */
const REACHED_AT_RUN_TIME = [
  "worker/controller.ts",
  "worker/model.ts",
  "worker/acquire.ts",
  "fixtures/scenarios",
];

/** What Deno notes down about a node_modules folder for itself. */
const NOT_EMBEDDED = [".bin", ".deno/.setup-cache.bin", ".deno/.deno.lock"];

/**
 * Builds the binary for a platform; the same checkout gives the same bytes.
 *
 * @param path Where it is put; what is there is replaced at once.
 * @throws {NotBuilt}
 */
export async function buildBinary(
  target: BuildTarget,
  path: string,
): Promise<BuiltBinary> {
  const base = runtimeBase(target);
  const folder = Deno.makeTempDirSync({ prefix: "tinycoder-build-" });
  try {
    const stage = `${folder}/stage`;
    Deno.mkdirSync(stage);
    const { engine, packages } = stageProgram(stage, target);
    // The output's own name is embedded, whatever --app-name says.
    const made = `${folder}/tinycoder`;
    await deno(
      ["install", "--quiet", "--frozen", "--cached-only"],
      stage,
      base,
    );
    fixTimes(stage);
    await deno(compileArguments(target, made), stage, base);
    const part = `${path}.${crypto.randomUUID()}.part`;
    Deno.copyFileSync(made, part);
    Deno.chmodSync(part, 0o755);
    Deno.renameSync(part, path);
    return {
      path,
      bytes: {
        whole: Deno.statSync(path).size,
        engine,
        packages,
        runtime: base === null ? null : Deno.statSync(base).size,
      },
    };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function compileArguments({ triple }: BuildTarget, output: string): string[] {
  return [
    "compile",
    "--quiet",
    "--no-check",
    "--frozen",
    "--cached-only",
    // Else executable code would be cached under a predictable name in the
    // folder for temporary files.
    "--no-code-cache",
    `--v8-flags=${V8_FLAGS}`,
    ...permissionFlags(),
    "--app-name=tinycoder",
    ...(triple === Deno.build.target ? [] : [`--target=${triple}`]),
    ...REACHED_AT_RUN_TIME.flatMap((path) => ["--include", path]),
    ...NOT_EMBEDDED.flatMap((path) => ["--exclude", `node_modules/${path}`]),
    `--output=${output}`,
    "main.ts",
  ];
}

async function deno(
  args: readonly string[],
  cwd: string,
  base: string | null,
): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    clearEnv: true,
    env: denoEnvironment(base),
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  const why = reason(new TextDecoder().decode(stderr));
  throw new NotBuilt(
    base === null && /download|denort/i.test(why)
      ? `${why}. Where Deno can't download its runtime, DENORT_BIN names one ` +
        "that is there already"
      : why,
  );
}

/** The caller's environment; the base is the one chosen here, or none. */
function denoEnvironment(base: string | null): Record<string, string> {
  const { DENORT_BIN: _, ...others } = Deno.env.toObject();
  return {
    ...others,
    NO_COLOR: "1",
    RUST_BACKTRACE: "0",
    ...(base === null ? {} : { DENORT_BIN: base }),
  };
}

/** Deno's own words, on one line: the first causes, or else the error itself. */
function reason(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const causes = lines.filter((line) => /^[01]: /.test(line))
    .map((line) => line.slice(3).replace(/[.]$/, ""));
  const [error = "Deno said nothing"] = lines;
  return causes.length > 0 ? causes.slice(0, 2).join(": ") : error;
}
