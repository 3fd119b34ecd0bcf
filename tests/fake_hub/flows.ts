// Runs inside the namespace: acquisitions that take more than one command, or
// meet more than a server. One JSON line each.
//
// usage: flows.ts AUTHORITY CERTIFICATE KEY WORK

import assert from "node:assert/strict";
import { LAB_LIMITS } from "../../lib/acquire/limits.ts";
import { NET_PERMISSION } from "../../lib/acquire/host_rule.ts";
import { NO_RIGHTS } from "../../lib/system/permissions.ts";
import {
  type BootFacts,
  machineResources,
  type Resources,
} from "../../lib/system/resources.ts";
import { type Conduct, conduct, type Conducted } from "./conduct.ts";
import { FakeHub } from "./hub.ts";
import { oneByOne } from "./one_by_one.ts";
import { CHECKPOINT, WEIGHTS_BYTES } from "./scenarios.ts";

const [authority, certificate, key, work] = Deno.args as [
  string,
  string,
  string,
  string,
];
const AUTHORITY = { authority, certificate, key };
const MIB = 1024 * 1024;
let hub = await FakeHub.start(AUTHORITY, CHECKPOINT);

const go = (options: Conduct = {}): Promise<Conducted> =>
  conduct(hub, CHECKPOINT.declaration, options);

/** Acquires while the weights stall after 1 MiB; `stop` is called then. */
async function stopped(
  options: Conduct,
  stop: () => void,
): Promise<Conducted> {
  hub.behave = async (request, reply) => {
    if (request.stage !== "content" || request.name !== "model.safetensors") {
      return await reply.normal();
    }
    const part = CHECKPOINT.contents.get(request.name)!.subarray(
      request.fromByte,
      request.fromByte + MIB,
    );
    await reply.head(request.fromByte === 0 ? 200 : 206, {
      "Content-Length": String(WEIGHTS_BYTES - request.fromByte),
      "Content-Range": `bytes ${request.fromByte}-${WEIGHTS_BYTES - 1}/` +
        WEIGHTS_BYTES,
    });
    await reply.body(part);
    stop();
    await reply.stall();
  };
  return await go(options);
}

async function cancelled(options: Conduct = {}): Promise<Conducted> {
  const cancel = new AbortController();
  return await stopped(
    { ...options, cancel: cancel.signal },
    () => cancel.abort(),
  );
}

/** The machine's resources at a time of the test's own. */
function atTime(facts: () => BootFacts): Resources {
  return { ...machineResources, bootFacts: facts };
}

const START: BootFacts = { uptimeSeconds: 1_000, wallMs: Date.now() };
const after = (seconds: number, clockMovedMs = 0): Resources =>
  atTime(() => ({
    uptimeSeconds: START.uptimeSeconds + seconds,
    wallMs: START.wallMs + seconds * 1_000 + clockMovedMs,
  }));

const VERIFIED_DISK = [
  "LICENSE",
  "acquisition.json",
  "config.json",
  "model.safetensors",
];

const FLOWS: Record<string, () => Promise<void>> = {
  "a cancelled acquisition goes on where it was": async () => {
    const first = await cancelled();
    assert.equal(first.code, "cancelled", first.message);
    assert.match(first.files["model.safetensors"]!, /^partial, cancelled /);
    hub.behave = (_, reply) => reply.normal();
    const second = await go();
    assert.equal(second.code, null, second.message);
    assert.deepEqual(second.disk, VERIFIED_DISK);
    const ledger = JSON.parse(
      await Deno.readTextFile("model/acquisition.json"),
    );
    assert.equal(ledger.opt_ins.length, 2);
    assert.equal(ledger.status, "verified");
    const third = await go();
    assert.equal(third.code, null);
    assert.deepEqual(
      third.asked,
      second.asked,
      "a verified folder asks nothing",
    );
  },

  "a file's retry counts over all commands": async () => {
    await cancelled();
    const second = await cancelled();
    assert.equal(second.code, "cancelled", second.message);
    hub.behave = (_, reply) => reply.normal();
    const third = await go();
    assert.equal(third.code, "retry_used", third.message);
    assert.match(third.message, /--from DIR/);
    await Deno.mkdir("files");
    for (const [name, bytes] of CHECKPOINT.contents) {
      await Deno.writeFile(`files/${name}`, bytes);
    }
    const fourth = await go({ from: "files" });
    assert.equal(fourth.code, null, fourth.message);
    assert.deepEqual(fourth.disk, VERIFIED_DISK);
    assert.match(fourth.files["model.safetensors"]!, /^verified copy, /);
  },

  "a folder is worked on by one process at a time": async () => {
    let release = (): void => {};
    const stalled = new Promise<void>((resolve) => release = resolve);
    let second: Promise<Conducted> | undefined;
    hub.behave = async (request, reply) => {
      if (request.name === "model.safetensors") {
        second = go();
        await second.finally(release);
        await stalled;
      }
      await reply.normal();
    };
    const first = await go();
    assert.equal(first.code, null, first.message);
    assert.equal((await second!).code, "folder_busy");
  },

  "a restart of the machine ends the window for good": async () => {
    await cancelled({ resources: after(0) });
    const rebooted = atTime(() => ({
      uptimeSeconds: 30,
      wallMs: START.wallMs + 60_000,
    }));
    // The second command couldn't see it any more; the first wrote it down.
    for (const resources of [rebooted, after(60)]) {
      const { code, message } = await go({ resources });
      assert.equal(code, "window_over", message);
      assert.match(message, /the machine was restarted since it began/);
    }
  },

  "a clock that is set ends the window, either way": async () => {
    for (const moved of [-3_600_000, 3_600_000]) {
      await Deno.remove("model", { recursive: true }).catch(() => {});
      await cancelled({ resources: after(0) });
      const { code } = await go({ resources: after(60, moved) });
      assert.equal(code, "window_over");
    }
  },

  "a clock that is set during a transfer ends the window for good":
    async () => {
      for (const moved of [-3_600_000, 3_600_000]) {
        await Deno.remove("model", { recursive: true }).catch(() => {});
        let now = START;
        const during = await stopped({ resources: atTime(() => now) }, () => {
          now = { ...START, wallMs: START.wallMs + moved };
        });
        assert.equal(during.code, "window_over", during.message);
        assert.match(during.message, /its clock set, since it began/);
        // It is set right again; what has ended stays ended.
        now = START;
        const { code, message } = await go({ resources: atTime(() => now) });
        assert.equal(code, "window_over", message);
        assert.match(message, /its clock set, since it began/);
      }
    },

  "20 minutes are over in a later command too": async () => {
    await cancelled({ resources: after(0) });
    const { code, message } = await go({ resources: after(1_199) });
    assert.equal(code, "window_over", message);
    assert.match(message, /its 20 minutes for acquiring are over/);
  },

  "sleep of the machine counts": async () => {
    let now = START;
    const done = await stopped({ resources: atTime(() => now) }, () => {
      now = {
        uptimeSeconds: START.uptimeSeconds + LAB_LIMITS.acquireSeconds,
        wallMs: START.wallMs + LAB_LIMITS.acquireSeconds * 1_000,
      };
    });
    assert.equal(done.code, "window_over", done.message);
    assert.match(
      done.files["model.safetensors"] ?? "",
      /^partial, interrupted /,
    );
  },

  "an edited ledger is refused": async () => {
    await cancelled();
    const original = await Deno.readTextFile("model/acquisition.json");
    await Deno.writeTextFile(
      "model/acquisition.json",
      original.replace(/"settled": [0-9]+/, '"settled": 0'),
    );
    const { code, message } = await go();
    assert.equal(code, "ledger_refused", message);
    assert.match(message, /changed after it was written/);
  },

  "a verified file that was changed is noticed": async () => {
    assert.equal((await go()).code, null);
    await Deno.writeTextFile("model/config.json", "x".repeat(659));
    const { code, message } = await go();
    assert.equal(code, "content_mismatch", message);
    assert.match(message, /changed after it was acquired/);
  },

  "a verified file that was deleted is its retry": async () => {
    assert.equal((await go()).code, null);
    await Deno.remove("model/config.json");
    const { code, message, files } = await go();
    assert.equal(code, null, message);
    assert.equal(
      files["config.json"],
      "verified hub, complete 659+11, complete 659+11",
    );
  },

  "a file that died between its name and the ledger is taken over":
    async () => {
      await cancelled();
      await Deno.writeFile(
        "model/model.safetensors.part",
        CHECKPOINT.contents.get("model.safetensors")!,
      );
      hub.behave = (_, reply) => reply.normal();
      hub.seen.length = 0;
      await Deno.rename(
        "model/model.safetensors.part",
        "model/model.safetensors",
      );
      const { code, message, asked } = await go();
      assert.equal(code, null, message);
      assert.ok(!asked.some((seen) => seen.includes("model.safetensors")));
    },

  "an unexpected file ends it, before and during the transfer": async () => {
    hub.behave = async (request, reply) => {
      if (request.name === "LICENSE") {
        await Deno.writeTextFile("model/model.py", "import os");
      }
      await reply.normal();
    };
    const during = await go();
    assert.equal(during.code, "unexpected_file", during.message);
    assert.match(during.message, /the folder holds "model.py"/);
    const before = await go();
    assert.equal(before.code, "unexpected_file");
    assert.match(before.message, /Take it away/);
    await Deno.remove("model/model.py");
    assert.equal((await go()).code, "ended_earlier");
  },

  "no connection uses no request up": async () => {
    hub.stop();
    const first = await go();
    assert.equal(first.code, "network_failed", first.message);
    assert.match(first.message, /huggingface.co cannot be reached/);
    assert.equal(first.files["config.json"], "pending");
    hub = await FakeHub.start(AUTHORITY, CHECKPOINT);
    const second = await go();
    assert.equal(second.code, null, second.message);
  },

  "a full disk is named, and the next command goes on": async () => {
    Deno.chdir(`${work}/small`);
    await Deno.writeFile("filler", new Uint8Array(4 * MIB));
    const resources = { ...machineResources, freeDiskBytes: () => 1e9 };
    const first = await go({ resources });
    assert.equal(first.code, "disk_failed", first.message);
    assert.match(first.message, /the disk is full. Make room/);
    assert.ok(!first.disk.includes("model.safetensors"));
    const again = await go({ resources });
    assert.equal(again.code, "disk_failed", again.message);
    assert.ok(!again.disk.includes("model.safetensors"));
    await Deno.remove("filler");
    const third = await go({ resources });
    assert.equal(third.code, null, third.message);
    assert.match(
      third.files["model.safetensors"]!,
      /^verified hub, interrupted [0-9]+[+][0-9]+, complete [0-9]+[+]11$/,
    );
    await Deno.remove("model", { recursive: true });
  },

  "a read-only disk is named, and nothing is created": async () => {
    Deno.chdir(`${work}/fixed`);
    await assert.rejects(go(), /the disk is read-only/);
    assert.deepEqual([...Deno.readDirSync(".")], []);
  },

  "too little disk or memory creates nothing": async () => {
    for (
      const resources of [
        { ...machineResources, freeDiskBytes: () => 12_000_000 },
        { ...machineResources, availableMemoryBytes: () => 12_000_000 },
      ]
    ) {
      const { code, message, disk } = await go({ resources });
      assert.equal(code, "resources_insufficient", message);
      assert.match(message, /13,000,000 bytes .*12,000,000/);
      assert.deepEqual(disk, []);
    }
    assert.deepEqual(hub.seen, []);
  },

  "Deno itself denies what lies beyond the worker's room": async () => {
    await Deno.mkdir("model");
    const folder = await Deno.realPath("model");
    const worker = new Worker(new URL("./room_probe.ts", import.meta.url), {
      type: "module",
      deno: {
        permissions: {
          ...NO_RIGHTS,
          net: [...NET_PERMISSION],
          read: [folder],
          write: [folder],
        },
      },
    } as WorkerOptions);
    worker.postMessage({ folder });
    const answers = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.terminate();
    assert.deepEqual(answers, {
      "another port": "NotCapable",
      "another host": "NotCapable",
      "a look-alike": "NotCapable",
      "an address": "NotCapable",
      "listening": "NotCapable",
      "writing outside": "NotCapable",
      "writing beside by name": "NotCapable",
      "reading outside": "NotCapable",
      "the environment": "NotCapable",
      "a program": "NotCapable",
      "a library": "NotCapable",
      "the system": "NotCapable",
      "writing inside": "possible",
      "the hub": "possible",
      "a storage host": "possible",
    });
  },

  "a proxy in the environment sees nothing": async () => {
    const proxy = Deno.listen({ hostname: "127.0.0.1", port: 3128 });
    let connections = 0;
    (async () => {
      for await (const connection of proxy) {
        connections++;
        connection.close();
      }
    })();
    assert.match(Deno.env.get("HTTPS_PROXY") ?? "", /user:secret@.*:3128/);
    const { code, message } = await go();
    assert.equal(code, null, message);
    assert.equal(connections, 0);
    // The same address through a client that does honour it: it would be seen.
    await assert.rejects(fetch("https://huggingface.co/x"));
    assert.ok(connections > 0);
    proxy.close();
  },
};

await oneByOne(
  work,
  Object.entries(FLOWS).map(([name, flow]) => [name, async () => {
    hub.forget();
    await flow();
  }]),
);
hub.stop();
Deno.exit(0);
