import {
  deepStrictEqual as equal,
  match,
  ok,
  rejects,
} from "node:assert/strict";
import { BINDING_FILE, ENGINE_FILES, installEngine } from "./engine.ts";
import { ModelRefusal } from "./model_refusal.ts";

const LIBRARY = "libonnxruntime.so.1";

async function inFreshFolder(
  check: (root: string) => Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await check(`${folder}/engine`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const refused = (why: RegExp) => (error: unknown) => {
  ok(error instanceof ModelRefusal);
  match(error.message, why);
  return true;
};

function tree(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    const mode = (Deno.lstatSync(path).mode! & 0o777).toString(8);
    return isDirectory
      ? [`${mode} folder`, ...tree(path)]
      : [`${mode} ${name}`];
  }).sort();
}

Deno.test("installEngine() writes both files privately, and only once", async () => {
  await inFreshFolder(async (root) => {
    const first = await installEngine({ root });
    equal(tree(root), ["600 " + LIBRARY, "600 " + BINDING_FILE, "700 folder"]);
    equal(first.digests, ENGINE_FILES["linux/x64"]);
    const inode = Deno.lstatSync(first.binding).ino;
    const second = await installEngine({
      root,
      packed: () => {
        throw new Error("written twice");
      },
    });
    equal(second, first);
    equal(Deno.lstatSync(second.binding).ino, inode);
  });
});

Deno.test("installEngine() refuses a changed file instead of loading or replacing it", async () => {
  await inFreshFolder(async (root) => {
    const { binding } = await installEngine({ root });
    const bytes = Deno.readFileSync(binding);
    bytes[bytes.length - 1]! ^= 1;
    Deno.writeFileSync(binding, bytes);
    await rejects(
      installEngine({ root }),
      refused(/isn't the file that this program was built with/),
    );
    equal(Deno.readFileSync(binding), bytes);
  });
});

Deno.test("installEngine() refuses a program whose own copy is another one", async () => {
  await inFreshFolder(async (root) => {
    await rejects(
      installEngine({ root, packed: () => new Uint8Array([1, 2, 3]) }),
      refused(/isn't the file that this program was built with/),
    );
  });
});

Deno.test("installEngine() refuses files and folders that others may read", async () => {
  await inFreshFolder(async (root) => {
    const { binding } = await installEngine({ root });
    Deno.chmodSync(binding, 0o640);
    await rejects(
      installEngine({ root }),
      refused(/node" is open to other users/),
    );
    Deno.chmodSync(binding, 0o600);
    Deno.chmodSync(root, 0o750);
    await rejects(
      installEngine({ root }),
      refused(/engine" is open to other users/),
    );
    Deno.chmodSync(root, 0o700);
    await installEngine({ root });
  });
});

Deno.test("installEngine() refuses links in place of files and folders", async () => {
  await inFreshFolder(async (root) => {
    const { binding } = await installEngine({ root });
    Deno.linkSync(binding, `${root}/second`);
    await rejects(installEngine({ root }), refused(/has a second hard link/));
    Deno.renameSync(`${root}/second`, `${root}/moved`);
    Deno.removeSync(binding);
    Deno.symlinkSync(`${root}/moved`, binding);
    await rejects(installEngine({ root }), refused(/isn't a regular file/));
    Deno.renameSync(root, `${root}-elsewhere`);
    Deno.symlinkSync(`${root}-elsewhere`, root);
    await rejects(installEngine({ root }), refused(/isn't a folder/));
  });
});

Deno.test("installEngine() refuses a folder of another user", async (t) => {
  await inFreshFolder(async (root) => {
    await installEngine({ root });
    // Only root may give a folder away.
    if (Deno.uid() !== 0) return;
    await t.step("as root", async () => {
      Deno.chownSync(root, 12_345, 12_345);
      await rejects(
        installEngine({ root }),
        refused(/belongs to another user/),
      );
    });
  });
});

Deno.test("installEngine() removes what a killed start left", async () => {
  await inFreshFolder(async (root) => {
    const { binding } = await installEngine({ root });
    const folder = binding.slice(0, -BINDING_FILE.length - 1);
    const left = `${binding}.${crypto.randomUUID()}.part`;
    Deno.writeFileSync(left, new Uint8Array(3));
    await installEngine({ root });
    equal(
      [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
      [LIBRARY, BINDING_FILE],
    );
  });
});

Deno.test("installEngine() refuses what the system's loader may take instead", async () => {
  for (
    const stranger of ["libstdc++.so.6", "glibc-hwcaps/x86-64-v3/a", "tls/a"]
  ) {
    await inFreshFolder(async (root) => {
      const { binding } = await installEngine({ root });
      const path = `${binding.slice(0, -BINDING_FILE.length)}${stranger}`;
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      Deno.writeFileSync(path, new Uint8Array(3));
      await rejects(
        installEngine({ root }),
        refused(/which the system may load in the engine's place: remove it/),
      );
    });
  }
});

Deno.test("installEngine() survives concurrent first starts", async () => {
  await inFreshFolder(async (root) => {
    const all = await Promise.all([1, 2, 3].map(() => installEngine({ root })));
    equal(new Set(all.map(({ binding }) => binding)).size, 1);
    equal(tree(root), ["600 " + LIBRARY, "600 " + BINDING_FILE, "700 folder"]);
  });
});

Deno.test("installEngine() says what to do where its folder can't be one", async () => {
  await inFreshFolder(async (root) => {
    Deno.writeTextFileSync(root, "in the way");
    await rejects(
      installEngine({ root }),
      refused(/^The engine can't be kept in ".*": .*start in another folder$/),
    );
  });
});
