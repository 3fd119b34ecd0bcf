// A program that leaves takes nothing apart that a thread still works with: ONNX
// Runtime's tables are freed by what runs at exit, and a session that is being
// made then reads freed memory. Here whatever runs at exit aborts the process.

import { deepStrictEqual as equal } from "node:assert/strict";
import { TINY_FOLDER } from "./model_fixture.ts";

async function leave(how: string): Promise<unknown> {
  const folder = Deno.makeTempDirSync();
  try {
    const { code, signal, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        new URL("leaving_program.ts", import.meta.url).href,
        `${folder}/engine`,
        how,
      ],
      env: { RUST_BACKTRACE: "0" },
      stderr: "null",
    }).output();
    return { code, signal, said: new TextDecoder().decode(stdout) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("endProgram() runs nothing at exit once the engine is loaded", async () => {
  equal(await leave("ours"), { code: 130, signal: null, said: "all said" });
  // Without it the same program does run what was left to be done at exit.
  equal(await leave("Deno's"), {
    code: 134,
    signal: "SIGABRT",
    said: "all said",
  });
});

const MAIN = new URL("../main.ts", import.meta.url).href;

/** Whether the system's loader took libraries apart when tinycoder had ended. */
async function takesApart(
  folder: string,
  ...args: string[]
): Promise<{ code: number; engine: boolean; apart: boolean }> {
  const trace = Deno.makeTempDirSync({ dir: folder });
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "--run", ...args],
    cwd: folder,
    env: { LD_DEBUG: "files", LD_DEBUG_OUTPUT: `${trace}/loader` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  const said = [...Deno.readDirSync(trace)].map(({ name }) =>
    Deno.readTextFileSync(`${trace}/${name}`)
  ).join("");
  return {
    code,
    engine: said.includes("libonnxruntime"),
    apart: said.includes("calling fini"),
  };
}

Deno.test("a trial leaves the engine as it is, a run without one ends as any program", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${folder}/tiny`);
    for (const { name } of Deno.readDirSync(TINY_FOLDER)) {
      Deno.copyFileSync(`${TINY_FOLDER}/${name}`, `${folder}/tiny/${name}`);
    }
    Deno.copyFileSync(`${TINY_FOLDER}.json`, `${folder}/tiny.json`);
    equal(
      await takesApart(
        folder,
        ...["trial", "--model-directory", "tiny", "--checkpoint", "tiny.json"],
        ...["--extension", "a random network", "--yes"],
      ),
      { code: 0, engine: true, apart: false },
    );
    equal(await takesApart(folder, "baseline"), {
      code: 0,
      engine: false,
      apart: true,
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
