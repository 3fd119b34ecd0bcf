import assert from "node:assert/strict";
import { FAULT_KINDS, FaultyFiles } from "../../tests/faulty_files.ts";
import { diskFiles, type Files } from "../system/files.ts";
import { type CheckpointPlan, checkpointPlan } from "./checkpoint_plan.ts";
import { newLedgerContent, withVerified } from "./ledger_content.ts";
import {
  contentSeal,
  type LedgerContent,
  parseLedger,
} from "./ledger_format.ts";
import { Ledger, type LedgerPlace, readLedger } from "./ledger.ts";
import { LAB_LIMITS } from "./limits.ts";
import { RequestRecord } from "./request_record.ts";

const MIB = 1024 * 1024;
const NOW = { uptimeSeconds: 100, wallMs: 1_700_000_000_000 };
const uptime = (): number => NOW.uptimeSeconds;
const PLAN = plan();

function plan(): CheckpointPlan {
  const made = checkpointPlan({
    repository: "owner/name",
    revision: "0".repeat(40),
    files: [
      { name: "small", bytes: 6, sha256: "a".repeat(64) },
      { name: "large", bytes: 100 * MIB, sha256: "b".repeat(64) },
    ],
  }, { pinned: false, shownAs: "it" });
  assert.ok(made.ok);
  return made.plan;
}

async function inFolder(
  work: (place: LedgerPlace) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await work(placeOf(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function placeOf(folder: string, files: Files = diskFiles): LedgerPlace {
  return { files, folder, shownAs: "model", plan: PLAN, limits: LAB_LIMITS };
}

function content(): LedgerContent {
  const optIn = { shown: "?", answer: "yes", given_wall_ms: 1 } as const;
  return newLedgerContent(PLAN, LAB_LIMITS, NOW, optIn);
}

function openRequest(ledger: Ledger, name = "large"): RequestRecord {
  return RequestRecord.open(ledger, name, {
    fromByte: 0,
    expectedBytes: 100 * MIB,
    uptimeSeconds: NOW.uptimeSeconds,
    reservationBytes: LAB_LIMITS.reservationBytes,
  });
}

function onDisk(place: LedgerPlace): LedgerContent {
  const read = readLedger(place);
  assert.ok(read.ok, read.ok ? "" : read.why);
  return read.content;
}

/** Writes a changed ledger with a right seal, as a skilled editor would. */
function forge(
  place: LedgerPlace,
  // deno-lint-ignore no-explicit-any -- a forger isn't bound by types.
  change: (content: any) => void,
): void {
  const path = `${place.folder}/acquisition.json`;
  const { content_sha256: _, ...rest } = JSON.parse(
    Deno.readTextFileSync(path),
  );
  change(rest);
  Deno.writeTextFileSync(
    path,
    JSON.stringify({ ...rest, content_sha256: contentSeal(rest) }),
  );
}

Deno.test("Ledger.create() writes a ledger that reads back", async () => {
  await inFolder((place) => {
    const ledger = Ledger.create(place, uptime, content());
    assert.deepEqual(onDisk(place), content());
    ledger.close();
    const { mode } = Deno.statSync(`${place.folder}/acquisition.json`);
    assert.equal(mode! & 0o777, 0o600);
  });
});

Deno.test("Ledger.open() refuses a folder that is worked on", async () => {
  await inFolder((place) => {
    const ledger = Ledger.create(place, uptime, content());
    ledger.update((content) => content);
    const second = Ledger.open(place, uptime);
    assert.ok(!second.ok);
    assert.equal(second.refusal.code, "folder_busy");
    ledger.close();
    const third = Ledger.open(place, uptime);
    assert.ok(third.ok);
    third.ledger.close();
  });
});

Deno.test("Ledger.update() keeps the highest uptime seen", async () => {
  await inFolder((place) => {
    let now = 100;
    const ledger = Ledger.create(place, () => now, content());
    for (const [uptime, seen] of [[150, 150], [120, 150], [151, 151]]) {
      now = uptime!;
      ledger.update((content) => content);
      assert.equal(ledger.content.window.seen_uptime_s, seen);
    }
    ledger.close();
  });
});

Deno.test("Ledger.open() forfeits what a dead process had reserved", async () => {
  await inFolder((place) => {
    const first = Ledger.create(place, uptime, content());
    const record = openRequest(first);
    record.received(5 * MIB);
    record.forfeit(100);
    record.received(4 * MIB);
    record.prepare(91 * MIB);
    record.received(1 * MIB);
    first.close();
    const opened = Ledger.open(place, uptime);
    assert.ok(opened.ok);
    const { bytes, files } = opened.ledger.content;
    assert.deepEqual(bytes, {
      ceiling: 1_200_000_000,
      settled: 9 * MIB + 100 + 16 * MIB,
      reserved: 0,
    });
    assert.deepEqual(files[1]!.requests, [{
      started_uptime_s: 100,
      from_byte: 0,
      host: null,
      payload_bytes: 9 * MIB,
      forfeited_bytes: 100 + 16 * MIB,
      outcome: "interrupted",
      detail: "the process ended during the transfer",
    }]);
    opened.ledger.close();
  });
});

Deno.test("readLedger() refuses a ledger that was edited", async () => {
  await inFolder((place) => {
    const path = `${place.folder}/acquisition.json`;
    Ledger.create(place, uptime, content()).close();
    const good = Deno.readTextFileSync(path);
    const edits: [edit: (text: string) => string, why: RegExp][] = [
      [(text) => text.replace('"settled": 0', '"settled": 1'), /changed after/],
      [
        (text) =>
          text.replace('"opened_uptime_s": 100', '"opened_uptime_s": 99'),
        /changed after/,
      ],
      [(text) => text.replace("{", '{"extra": 1,'), /Unrecognized key/],
      [(text) => text.replace('"version": 1', '"version": 2'), /version/],
      [(text) => text.replace('"label"', '"label": "x", "label"'), /JSON/],
      [(text) => text.slice(0, -10), /JSON/],
      [() => "", /JSON/],
      [(text) => text + text, /JSON/],
    ];
    for (const [edit, why] of edits) {
      Deno.writeTextFileSync(path, edit(good));
      const read = readLedger(place);
      assert.ok(!read.ok);
      assert.match(read.why, why);
    }
  });
});

Deno.test("readLedger() refuses a ledger that isn't a plain file", async () => {
  await inFolder((place) => {
    const path = `${place.folder}/acquisition.json`;
    Ledger.create(place, uptime, content()).close();
    Deno.linkSync(path, `${place.folder}/second`);
    const linked = readLedger(place);
    assert.ok(!linked.ok);
    assert.equal(linked.why, "the file is extra link");
    Deno.removeSync(path);
    Deno.symlinkSync("second", path);
    const symlinked = readLedger(place);
    assert.ok(!symlinked.ok);
    assert.equal(symlinked.why, "the file is not regular");
  });
});

Deno.test("readLedger() refuses a forged ledger that would gain something", async () => {
  const wall = Date.now();
  const forgeries: [
    // deno-lint-ignore no-explicit-any -- a forger isn't bound by types.
    change: (content: any) => void,
    why: RegExp,
  ][] = [
    [(it) => it.bytes.ceiling *= 2, /limits are not this program's/],
    [(it) => it.window.acquire_seconds = 9_999, /limits/],
    [(it) => it.window.window_seconds = 9_999, /limits/],
    [(it) => it.bytes.settled = 0, /account says 0 bytes and its requests/],
    [(it) => it.files[1].requests[0].payload_bytes -= 1, /account says/],
    [
      (it) => {
        it.files[1].requests = [];
        it.bytes.settled = 0;
      },
      /"large.part" is longer than what the ledger counts/,
    ],
    [
      (it) => {
        it.files[1].requests[0].payload_bytes = 1;
        it.bytes.settled = 1;
      },
      /"large.part" is longer/,
    ],
    [
      (it) => it.window.opened_wall_ms = wall + 60_000,
      /after its folder was made/,
    ],
    [(it) => it.window.opened_uptime_s = 101, /times contradict/],
    [(it) => it.window.seen_uptime_s = 99, /times contradict/],
    [(it) => it.files[1].requests[0].started_uptime_s = 99, /times contradict/],
    [
      (it) => it.files[1].expected_sha256 = "c".repeat(64),
      /identity of "large"/,
    ],
    [(it) => it.files[1].expected_bytes -= 1, /identity of "large"/],
    [(it) => it.files[1].url += "x", /identity of "large"/],
    [
      (it) => it.files[1].name = "\u202eabc\n",
      /its identity of "\\u\{202e\}abc\\u\{a\}" is not/,
    ],
    [
      (it) => it.repository = "\u001b".repeat(4_000),
      /^it is for another checkpoint \(repository "(?:\\u\{1b\})+…"\)$/,
    ],
    [(it) => it.files.pop(), /list of files/],
    [(it) => it.revision = "1".repeat(40), /another checkpoint/],
    [(it) => it.pinned = true, /another checkpoint/],
    [(it) => it.bytes.reserved = 1, /reservation do not agree/],
    [(it) => it.status = "verified", /its status and those of its files/],
    [(it) => it.status = "ended", /its status and its end/],
    [(it) => it.files[1].status = "verified", /does not show a verified file/],
  ];
  for (const [change, why] of forgeries) {
    await inFolder((place) => {
      const ledger = Ledger.create(place, uptime, {
        ...content(),
        window: { ...content().window, opened_wall_ms: wall },
      });
      const record = openRequest(ledger);
      record.received(2 * MIB);
      record.close("interrupted", "x");
      ledger.close();
      Deno.writeFileSync(
        `${place.folder}/large.part`,
        new Uint8Array(2 * MIB),
      );
      assert.ok(readLedger(place).ok);
      forge(place, change);
      const read = readLedger(place);
      assert.ok(!read.ok, change.toString());
      assert.match(read.why, why);
    });
  }
});

Deno.test("readLedger() refuses a published file that nobody requested", async () => {
  await inFolder((place) => {
    Ledger.create(place, uptime, content()).close();
    Deno.writeTextFileSync(`${place.folder}/small`, "hello\n");
    const read = readLedger(place);
    assert.ok(!read.ok);
    assert.match(read.why, /"small" is there although nothing was requested/);
  });
});

Deno.test("Ledger holds its account at every fault of the disk", async () => {
  const steps = (place: LedgerPlace, asked: (bytes: number) => void): void => {
    const ledger = Ledger.create(place, uptime, content());
    try {
      const record = openRequest(ledger);
      asked(record.allowance);
      record.received(9 * MIB);
      record.prepare(91 * MIB);
      asked(9 * MIB + record.allowance);
      record.close("interrupted", "x");
      ledger.update((content) =>
        withVerified(content, "small", {
          bytes: 6,
          sha256: "a".repeat(64),
          gitBlobSha1: null,
        }, "copy")
      );
    } finally {
      ledger.close();
    }
  };
  let operations = 0;
  await inFolder((place) => {
    const files = new FaultyFiles(diskFiles);
    steps({ ...place, files }, () => {});
    operations = files.operations.length;
  });
  assert.ok(operations > 40, String(operations));
  for (const kind of FAULT_KINDS) {
    for (let at = 1; at <= operations; at++) {
      await inFolder((place) => {
        const files = new FaultyFiles(diskFiles, { kind, at });
        let most = 0;
        try {
          steps({ ...place, files }, (bytes) => most = bytes);
        } catch {
          // What was told before is what counts.
        }
        if (diskFiles.facts(`${place.folder}/acquisition.json`) === null) {
          assert.equal(most, 0, `${kind} at ${at}`);
          return;
        }
        const opened = Ledger.open(place, uptime);
        assert.ok(opened.ok, `${kind} at ${at}: ${JSON.stringify(opened)}`);
        const { bytes } = opened.ledger.content;
        const isClosed = opened.ledger.content.files[1]!.requests.every(
          ({ outcome, detail }) => outcome === "interrupted" && detail === "x",
        );
        // Nothing was asked for that isn't counted, unless it was settled.
        assert.ok(
          bytes.settled >= (isClosed && most > 0 ? 9 * MIB : most),
          `${kind} at ${at}: ${bytes.settled} of ${most}`,
        );
        assert.equal(bytes.reserved, 0);
        opened.ledger.close();
      });
    }
  }
});

Deno.test("parseLedger() reads only what ledgerBytes() wrote", () => {
  assert.ok(!parseLedger(new TextEncoder().encode("[]")).ok);
  assert.ok(!parseLedger(new TextEncoder().encode("{}")).ok);
  assert.ok(!parseLedger(new Uint8Array([0xff])).ok);
});

Deno.test("parseLedger() names a key that it doesn't know without writing to the terminal", () => {
  const text = JSON.stringify({
    ...content(),
    "\u001b[31mx\n": 1,
    content_sha256: "0".repeat(64),
  });
  assert.deepEqual(parseLedger(new TextEncoder().encode(text)), {
    ok: false,
    why: 'field (top): Unrecognized key: "\\u{1b}[31mx\\u{a}"',
  });
});

Deno.test("parseLedger() tells another version from a damaged ledger", () => {
  const written = (changes: object) =>
    new TextEncoder().encode(JSON.stringify({ ...content(), ...changes }));
  const why = (changes: object) => {
    const parsed = parseLedger(written(changes));
    return parsed.ok ? null : parsed.why;
  };
  const newer = { version: 2, something: "new" };
  assert.equal(why(newer), "its version is 2, and this tinycoder reads 1");
  assert.match(why({ version: "2" }) ?? "", /^field version: /);
  assert.match(why({ ...newer, format: "x" }) ?? "", /^field format: /);
});

Deno.test("Ledger.update() writes what can be read again, however much it is told", async () => {
  await inFolder((place) => {
    const ledger = Ledger.create(place, uptime, content());
    const long = "a".repeat(4_095) + "\u{1f600}";
    const answered = (number: number) =>
      ({ shown: "?", answer: "yes", given_wall_ms: number }) as const;
    for (let number = 2; number <= 60; number++) {
      ledger.update((content) => ({
        ...content,
        opt_ins: [...content.opt_ins, answered(number)],
      }));
    }
    ledger.update((content) => ({
      ...content,
      status: "ended",
      opt_ins: [...content.opt_ins, {
        ...answered(61),
        shown: "b".repeat(16_385),
      }],
      end: { code: "unexpected_file", what: long, why: long },
    }));
    ledger.close();
    const read = readLedger(place);
    assert.ok(read.ok, !read.ok ? read.why : "");
    assert.deepEqual(read.content, ledger.content);
    const { opt_ins, end } = read.content;
    assert.deepEqual(
      opt_ins.map(({ given_wall_ms }) => given_wall_ms),
      [1, ...Array.from({ length: 49 }, (_, at) => at + 13)],
    );
    assert.equal(opt_ins.at(-1)?.shown, "b".repeat(16_384));
    assert.deepEqual(end, {
      code: "unexpected_file",
      what: "a".repeat(4_095),
      why: "a".repeat(4_095),
    });
  });
});
