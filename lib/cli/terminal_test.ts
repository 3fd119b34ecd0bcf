import assert from "node:assert/strict";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { LAUNCHER } from "../../tests/launched.ts";

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

Deno.test("a printing command says nothing to whoever reads no further", async () => {
  using fresh = freshFolder();
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "-c",
      '"$0" licenses | head -c 1 > first; echo "${PIPESTATUS[0]}"',
      LAUNCHER,
    ],
    cwd: fresh.path,
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stderr), "");
  assert.equal(decoder.decode(stdout), "5\n");
});
