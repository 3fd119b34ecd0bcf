import assert from "node:assert/strict";

/** A program that says when it is told to stop, and never ends by itself. */
const PROGRAM = `
  import { onSignal } from ${
  JSON.stringify(new URL("signals.ts", import.meta.url).href)
};
  const listening = onSignal(() => console.log("stopping"));
  if (Deno.args[0] === "deaf") listening.stop();
  console.log("listening");
  setInterval(() => {}, 60_000);
`;

/** Starts the program, and reads its output piece by piece. */
function start(...args: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", PROGRAM, ...args],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return { child, said: async () => (await output.read()).value };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`onSignal() acts at the first ${signal}, and lets the second kill`, async () => {
    const { child, said } = start();
    assert.equal(await said(), "listening\n");
    child.kill(signal);
    assert.equal(await said(), "stopping\n");
    child.kill(signal);
    assert.equal((await child.status).signal, signal);
    assert.equal(await said(), undefined);
  });
}

Deno.test("onSignal().stop() leaves signals to the system", async () => {
  const { child, said } = start("deaf");
  assert.equal(await said(), "listening\n");
  child.kill("SIGINT");
  assert.equal((await child.status).signal, "SIGINT");
  assert.equal(await said(), undefined);
});
