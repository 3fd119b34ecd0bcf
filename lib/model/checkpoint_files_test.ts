import {
  deepStrictEqual as equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import { createHash } from "node:crypto";
import type { CheckpointManifest } from "./checkpoint_manifest.ts";
import { confirmUnchanged, verifyCheckpoint } from "./checkpoint_files.ts";
import { ModelRefusal } from "./model_refusal.ts";

const CONTENTS: Readonly<Record<string, string>> = {
  "config.json": "{}",
  "tokenizer.json": "tokens",
  "tokenizer_config.json": "more tokens",
  "model.safetensors": "w".repeat(3_000_000),
};

const sha256 = (text: string) =>
  createHash("sha256").update(text).digest("hex");
const blobId = (text: string) =>
  createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");

const MANIFEST: CheckpointManifest = {
  pinned: false,
  label: "test",
  repository: null,
  revision: null,
  license: null,
  files: Object.entries(CONTENTS).map(([name, text]) => ({
    name,
    bytes: text.length,
    sha256: sha256(text),
    ...(name === "config.json" ? { gitBlobSha1: blobId(text) } : {}),
  })),
  tokenIds: { begin: 0, pad: 0, end: [1] },
  config: null,
};

function inFolder(check: (folder: string) => void): void {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    for (const [name, text] of Object.entries(CONTENTS)) {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
    }
    check(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function refused(act: () => unknown, why: RegExp): void {
  throws(act, (error) => {
    ok(error instanceof ModelRefusal);
    match(error.message, why);
    match(error.message, /^[^\n/]*$/);
    return true;
  });
}

Deno.test("verifyCheckpoint() reads and hashes every file, in the manifest's order", () => {
  inFolder((folder) => {
    const counts: number[] = [];
    const verified = verifyCheckpoint(
      folder,
      MANIFEST,
      (count) => counts.push(count),
    );
    equal(
      verified.files.map(({ name, bytes, sha256, gitBlobSha1 }) => ({
        name,
        bytes,
        sha256,
        gitBlobSha1,
      })),
      Object.entries(CONTENTS).map(([name, text]) => ({
        name,
        bytes: text.length,
        sha256: sha256(text),
        gitBlobSha1: name === "config.json" ? blobId(text) : null,
      })),
    );
    equal(
      [...verified.contents].map(([name, bytes]) => [
        name,
        new TextDecoder().decode(bytes),
      ]).sort(),
      Object.entries(CONTENTS).filter(([name]) => name !== "model.safetensors")
        .sort(),
    );
    equal(verified.readWeights(2_999_998, 2), new Uint8Array([0x77, 0x77]));
    equal(counts.at(-1), 3_000_000 + 2 + 6 + 11);
    equal(counts, counts.toSorted((a, b) => a - b));
    confirmUnchanged(folder, verified.files);
    verified.close();
  });
});

Deno.test("verifyCheckpoint() refuses another size or content", () => {
  inFolder((folder) => {
    const path = `${folder}/tokenizer.json`;
    Deno.writeTextFileSync(path, "token");
    refused(
      () => verifyCheckpoint(folder, MANIFEST),
      /"tokenizer.json" has 5 bytes instead of 6/,
    );
    Deno.writeTextFileSync(path, "tokenz");
    refused(
      () => verifyCheckpoint(folder, MANIFEST),
      /is not the declared file: its SHA-256/,
    );
    Deno.writeTextFileSync(path, "tokens");
    Deno.writeTextFileSync(
      `${folder}/model.safetensors`,
      "w".repeat(2_999_999) + "v",
    );
    refused(
      () => verifyCheckpoint(folder, MANIFEST),
      /"model.safetensors" is not the declared file/,
    );
  });
});

Deno.test("verifyCheckpoint() refuses another Git blob id although the SHA-256 is right", () => {
  inFolder((folder) => {
    const files = MANIFEST.files.map((file) =>
      file.name === "config.json"
        ? { ...file, gitBlobSha1: "0".repeat(40) }
        : file
    );
    refused(
      () => verifyCheckpoint(folder, { ...MANIFEST, files }),
      /its Git blob id is/,
    );
  });
});

Deno.test("verifyCheckpoint() refuses links, folders, missing and unexpected files", () => {
  const spoil = (
    name: string,
    how: (path: string, folder: string) => void,
    why: RegExp,
  ) =>
    inFolder((folder) => {
      how(`${folder}/${name}`, folder);
      refused(() => verifyCheckpoint(folder, MANIFEST), why);
    });
  for (const name of ["config.json", "model.safetensors"]) {
    spoil(name, (path) => Deno.removeSync(path), /lacks/);
    spoil(name, (path, folder) => {
      Deno.renameSync(path, `${folder}-moved`);
      Deno.symlinkSync(`${folder}-moved`, path);
    }, /is a symbolic link/);
    spoil(name, (path) => {
      Deno.linkSync(path, Deno.makeTempDirSync() + "/second");
    }, /has a second hard link/);
    spoil(name, (path) => {
      Deno.removeSync(path);
      Deno.mkdirSync(path);
    }, /is not a regular file/);
  }
  spoil(
    "modeling_qwen2.py",
    (path) => Deno.writeTextFileSync(path, "x"),
    /holds "modeling_qwen2.py"/,
  );
  spoil(
    "model.safetensors.part",
    (path) => Deno.writeTextFileSync(path, "x"),
    /holds "model.safetensors.part"/,
  );
});

Deno.test("verifyCheckpoint() doesn't wait for a named pipe in a file's place", () => {
  inFolder((folder) => {
    Deno.removeSync(`${folder}/config.json`);
    new Deno.Command("mkfifo", { args: [`${folder}/config.json`] })
      .outputSync();
    refused(
      () => verifyCheckpoint(folder, MANIFEST),
      /"config.json" is not a regular file/,
    );
  });
});

Deno.test("verifyCheckpoint() leaves an acquisition's ledger alone", () => {
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/acquisition.json`, "{}");
    verifyCheckpoint(folder, MANIFEST).close();
  });
});

Deno.test("verifyCheckpoint() notices a file that changes while it is read", () => {
  inFolder((folder) => {
    const path = `${folder}/model.safetensors`;
    let changed = false;
    const change = (count: number) => {
      if (count < 1_100_000 || changed) return;
      changed = true;
      // The same bytes again: only its times tell.
      Deno.writeTextFileSync(path, CONTENTS["model.safetensors"]!);
      Deno.utimeSync(path, 1, 1);
    };
    refused(
      () => verifyCheckpoint(folder, MANIFEST, change),
      /changed while it was verified/,
    );
    Deno.writeTextFileSync(path, CONTENTS["model.safetensors"]!);
    changed = false;
    refused(
      () =>
        verifyCheckpoint(folder, MANIFEST, (count) => {
          if (count > 1_100_000) Deno.truncateSync(path, 10);
        }),
      /changed while it was read/,
    );
  });
});

Deno.test("confirmUnchanged() refuses a file that was replaced, changed or linked since", () => {
  const since = (how: (path: string, folder: string) => void, why: RegExp) =>
    inFolder((folder) => {
      const verified = verifyCheckpoint(folder, MANIFEST);
      verified.close();
      how(`${folder}/model.safetensors`, folder);
      refused(() => confirmUnchanged(folder, verified.files), why);
    });
  since((path) => Deno.removeSync(path), /was replaced/);
  since((path, folder) => {
    Deno.writeTextFileSync(`${folder}/other`, CONTENTS["model.safetensors"]!);
    Deno.renameSync(`${folder}/other`, path);
  }, /changed while/);
  since((path) => Deno.utimeSync(path, 5, 5), /changed while/);
  since(
    (path, folder) => Deno.linkSync(path, `${folder}/second`),
    /changed while/,
  );
});

Deno.test("verifyCheckpoint() refuses a file that is too large to be read whole", () => {
  inFolder((folder) => {
    for (
      const [name, most] of [
        ["config.json", 65_536],
        ["tokenizer.json", 16_777_216],
        ["tokenizer_config.json", 262_144],
      ] as const
    ) {
      const declared = (bytes: number) => () =>
        verifyCheckpoint(folder, {
          ...MANIFEST,
          files: MANIFEST.files.map((file) =>
            file.name === name ? { ...file, bytes } : file
          ),
        });
      refused(declared(most), new RegExp(`bytes instead of ${most}$`));
      refused(
        declared(most + 1),
        new RegExp(`^"${name}" has ${most + 1} bytes: the most is ${most}$`),
      );
    }
  });
});

Deno.test("verifyCheckpoint() keeps no file in memory that is not read", () => {
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/LICENSE`, "terms");
    const license = { name: "LICENSE", bytes: 5, sha256: sha256("terms") };
    const verified = verifyCheckpoint(folder, {
      ...MANIFEST,
      files: [license, ...MANIFEST.files],
    });
    verified.close();
    equal([...verified.contents.keys()].sort(), [
      "config.json",
      "tokenizer.json",
      "tokenizer_config.json",
    ]);
    equal(verified.files[0]!.sha256, license.sha256);
  });
});
