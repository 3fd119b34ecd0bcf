// `acquire --from`: the user has the files already. No network takes part, so
// these need no namespace; the worker and its permissions are the real ones.

import assert from "node:assert/strict";
import { testCheckpoint } from "./fake_hub/checkpoint.ts";
import { type Conduct, conduct, type Conducted } from "./fake_hub/conduct.ts";

const CHECKPOINT = testCheckpoint({
  "config.json": 659,
  "model.safetensors": 3 * 1024 * 1024 + 1,
});
const NAME = "model.safetensors";
const BYTES = CHECKPOINT.contents.get(NAME)!;

/** A folder to work in, with the checkpoint's files in `files`. */
async function inFolder(work: () => Promise<void>): Promise<void> {
  const before = Deno.cwd();
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    Deno.chdir(folder);
    Deno.mkdirSync("files");
    for (const [name, bytes] of CHECKPOINT.contents) {
      Deno.writeFileSync(`files/${name}`, bytes);
    }
    await work();
  } finally {
    Deno.chdir(before);
    await Deno.remove(folder, { recursive: true });
  }
}

const copy = (options: Conduct = {}): Promise<Conducted> =>
  conduct(null, CHECKPOINT.declaration, { from: "files", ...options });

Deno.test("acquire() copies what it verifies, sharing no bytes", async () => {
  await inFolder(async () => {
    Deno.writeTextFileSync("files/README.md", "not one of them");
    assert.deepEqual(await copy(), {
      code: null,
      message: "",
      files: { "config.json": "verified copy", [NAME]: "verified copy" },
      disk: ["acquisition.json", "config.json", NAME],
      asked: [],
      settledBytes: 0,
    });
    for (const [name, bytes] of CHECKPOINT.contents) {
      const copied = Deno.statSync(`model/${name}`);
      assert.notEqual(copied.ino, Deno.statSync(`files/${name}`).ino);
      assert.equal(copied.nlink, 1);
      assert.equal(copied.mode! & 0o777, 0o600);
      assert.deepEqual(Deno.readFileSync(`model/${name}`), bytes);
    }
    assert.equal((await copy()).code, null);
  });
});

Deno.test("acquire() says what is wrong with a file to copy", async () => {
  const flipped = BYTES.slice();
  flipped[flipped.length - 1]! ^= 1;
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
  const cases: [change: () => void, says: RegExp][] = [
    [() => Deno.removeSync(`files/${NAME}`), /it is not there/],
    [() => Deno.writeTextFileSync(`files/${NAME}`, ""), /it is empty/],
    [() => Deno.writeTextFileSync(`files/${NAME}`, pointer), /Git-LFS pointer/],
    [
      () => Deno.writeTextFileSync(`files/${NAME}`, "<!DOCTYPE html><p>"),
      /HTML page/,
    ],
    [
      () => Deno.writeFileSync(`files/${NAME}`, BYTES.subarray(1)),
      /truncated: 3,145,728 of 3,145,729 bytes/,
    ],
    [
      () => Deno.writeFileSync(`files/${NAME}`, new Uint8Array(4e6)),
      /4,000,000 bytes instead of 3,145,729/,
    ],
    [
      () => Deno.writeFileSync(`files/${NAME}`, flipped),
      /its digest is not the pinned one/,
    ],
    [
      () => {
        Deno.renameSync(`files/${NAME}`, "weights");
        Deno.symlinkSync("../weights", `files/${NAME}`);
      },
      /it is a link/,
    ],
    [
      () => {
        Deno.removeSync(`files/${NAME}`);
        Deno.mkdirSync(`files/${NAME}`);
      },
      /it is not a file/,
    ],
  ];
  for (const [change, says] of cases) {
    await inFolder(async () => {
      change();
      const { code, message, disk } = await copy();
      assert.equal(code, "copy_refused", message);
      assert.match(message, says);
      assert.match(message, /^Cannot copy "model.safetensors" from "files": /);
      assert.ok(!disk.some((name) => name.startsWith(NAME)), disk.join());
    });
  }
});

Deno.test("acquire() goes on with a copy once the file is right", async () => {
  await inFolder(async () => {
    Deno.writeTextFileSync(`files/${NAME}`, "");
    assert.equal((await copy()).code, "copy_refused");
    Deno.writeFileSync(`files/${NAME}`, BYTES);
    assert.equal((await copy()).code, null);
  });
});

Deno.test("acquire() refuses a folder to copy from that it may not use", async () => {
  await inFolder(async () => {
    Deno.symlinkSync("files", "linked");
    const cases: [from: string, says: RegExp][] = [
      ["absent", /there is no such folder/],
      ["linked", /"linked" is a link/],
      ["../files", /does not lie below the current folder/],
      ["files/config.json", /is not a folder/],
    ];
    for (const [from, says] of cases) {
      const { message, disk } = await copy({ from });
      assert.match(message, says);
      assert.deepEqual(disk, []);
    }
    assert.equal((await copy()).code, null);
    const { code, message } = await copy({ from: "model" });
    assert.equal(code, "copy_refused");
    assert.match(message, /the model folder "model" itself/);
  });
});

Deno.test("acquire() copies even when the window is over, and doesn't reopen it", async () => {
  await inFolder(async () => {
    Deno.writeTextFileSync(`files/${NAME}`, "");
    await copy();
    Deno.writeFileSync(`files/${NAME}`, BYTES);
    const { code, message } = await copy({
      resources: {
        bootFacts: () => ({
          uptimeSeconds: Math.floor(Deno.osUptime()) + 3_600,
          wallMs: Date.now() + 3_600_000,
        }),
        availableMemoryBytes: () => 1e12,
        totalMemoryBytes: () => 1e12,
        freeDiskBytes: () => 1e12,
      },
    });
    assert.equal(code, null, message);
    const { window } = JSON.parse(
      Deno.readTextFileSync("model/acquisition.json"),
    );
    assert.equal(window.ended, "elapsed");
  });
});

Deno.test("acquire() needs no network where all is verified, and has none", async () => {
  await inFolder(async () => {
    await copy();
    const { code, message } = await conduct(null, CHECKPOINT.declaration);
    assert.equal(code, null, message);
  });
});
