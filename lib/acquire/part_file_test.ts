import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import type { PlannedFile } from "./checkpoint_plan.ts";
import { PartFile } from "./part_file.ts";

const SHA = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const FILE: PlannedFile = {
  name: "f",
  bytes: 6,
  identity: { sha256: SHA },
  url: "",
};

async function inFolder(work: (folder: string) => void): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("PartFile goes on where an earlier one stopped, hashed from its start", async () => {
  await inFolder((folder) => {
    const first = PartFile.open(folder, FILE);
    first.append(bytes("hel"));
    first.close();
    assert.equal(Deno.statSync(`${folder}/f.part`).mode! & 0o777, 0o600);
    const second = PartFile.open(folder, FILE);
    assert.equal(second.bytes, 3);
    second.append(bytes("lo\n"));
    assert.deepEqual(second.finish(), {
      bytes: 6,
      sha256: SHA,
      gitBlobSha1: null,
    });
    assert.equal(new TextDecoder().decode(second.head), "hello\n");
    second.publish(diskFiles, folder);
    second.close();
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), [
      "f",
    ]);
  });
});

Deno.test("PartFile empties one that is too long, and leaves none empty", async () => {
  await inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/f.part`, "seven..");
    const part = PartFile.open(folder, FILE);
    assert.equal(part.bytes, 0);
    part.close();
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("PartFile.restart() leaves what has its final name", async () => {
  await inFolder((folder) => {
    const part = PartFile.open(folder, FILE);
    part.append(bytes("hello\n"));
    const failing = {
      ...diskFiles,
      syncFolder: () => {
        throw Object.assign(new Error(), { code: "EIO" });
      },
    };
    assert.throws(() => part.publish(failing, folder), { code: "EIO" });
    part.restart();
    part.close();
    assert.equal(Deno.readTextFileSync(`${folder}/f`), "hello\n");
  });
});

Deno.test("PartFile restarts with nothing of what was there", async () => {
  await inFolder((folder) => {
    const part = PartFile.open(folder, FILE);
    part.append(bytes("wrong"));
    part.restart();
    part.append(bytes("hello\n"));
    assert.equal(part.finish().sha256, SHA);
    part.publish(diskFiles, folder);
    part.close();
    assert.equal(Deno.readTextFileSync(`${folder}/f`), "hello\n");
  });
});

Deno.test("PartFile refuses links and second names", async () => {
  await inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/other`, "x");
    Deno.symlinkSync("other", `${folder}/f.part`);
    assert.throws(() => PartFile.open(folder, FILE), { code: "ELOOP" });
    Deno.removeSync(`${folder}/f.part`);
    Deno.linkSync(`${folder}/other`, `${folder}/f.part`);
    assert.throws(() => PartFile.open(folder, FILE), /one name/);
    assert.equal(Deno.readTextFileSync(`${folder}/other`), "x");
  });
});

Deno.test("PartFile.publish() refuses what was changed behind its back", async () => {
  const changes: [change: (folder: string) => void, why: RegExp][] = [
    [(folder) => Deno.linkSync(`${folder}/f.part`, `${folder}/g`), /one name/],
    [(folder) => Deno.truncateSync(`${folder}/f.part`, 5), /changed meanwhile/],
    [(folder) => Deno.writeTextFileSync(`${folder}/f`, ""), /appeared/],
    [(folder) => {
      Deno.removeSync(`${folder}/f.part`);
      Deno.writeTextFileSync(`${folder}/f.part`, "hello\n");
    }, /one name|changed meanwhile/],
  ];
  for (const [change, why] of changes) {
    await inFolder((folder) => {
      const part = PartFile.open(folder, FILE);
      part.append(bytes("hello\n"));
      part.finish();
      change(folder);
      assert.throws(() => part.publish(diskFiles, folder), why);
      part.close();
    });
  }
});
