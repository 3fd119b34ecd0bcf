import assert from "node:assert/strict";

const PROGRAM = `
  import { processTerminal } from ${
  JSON.stringify(new URL("terminal.ts", import.meta.url).href)
};
  const terminal = processTerminal();
  terminal.note("progress é\\n");
  terminal.out("x".repeat(300_000));
  terminal.out(JSON.stringify([terminal.outColor, terminal.noteColor]));
`;

Deno.test("processTerminal() writes results and notes whole, without colours into pipes", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", PROGRAM],
  }).output();
  const decoder = new TextDecoder();
  assert.deepEqual([code, decoder.decode(stderr)], [0, "progress é\n"]);
  assert.equal(decoder.decode(stdout), `${"x".repeat(300_000)}[false,false]`);
});
