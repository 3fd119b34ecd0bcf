import assert from "node:assert/strict";
import { probeOutsideTools } from "./probe.ts";

Deno.test("probeOutsideTools() finds out which links can be made, and leaves nothing", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const tools = probeOutsideTools(folder);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    const { symlink, hard_link, fifo } = tools;
    if (typeof symlink === "string" || typeof hard_link === "string") {
      throw new Error("With every right, links can be made");
    }
    assert.equal(
      fifo,
      "a FIFO is made by another program, and this one starts none",
    );
    Deno.writeTextFileSync(`${folder}/a`, "");
    hard_link(`${folder}/a`, `${folder}/b`);
    symlink(`${folder}/a`, `${folder}/c`);
    assert.equal(Deno.lstatSync(`${folder}/a`).nlink, 2);
    assert.ok(Deno.lstatSync(`${folder}/c`).isSymlink);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
