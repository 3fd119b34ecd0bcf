import assert from "node:assert/strict";
import { digestOf } from "../../tests/closed_run.ts";
import {
  RUN_ID,
  SEALED,
  SMALL_CATALOGUE,
  unchained,
} from "../../tests/small_audit.ts";
import type { FileHandle } from "../system/files.ts";
import { AuditFinding, AuditReader } from "./audit_reader.ts";
import {
  type AuditRecord,
  canonicalJson,
  MAX_RECORD_BYTES,
} from "./audit_record.ts";

const encoder = new TextEncoder();

/** A file that holds these bytes. */
function holding(bytes: Uint8Array): FileHandle {
  let at = 0;
  return {
    facts: () => {
      throw new Error("not asked");
    },
    read: (most) => bytes.subarray(at, at = Math.min(bytes.length, at + most)),
    write: () => 0,
    sync: () => {},
    close: () => {},
  };
}

/** Whole lines of a chain with these texts, as objects to change. */
function chain(...texts: string[]): Record<string, unknown>[] {
  let prev: string = SEALED.head;
  return texts.map((text, index) => {
    const record = { ...unchained("made", text), event_id: index + 1, prev };
    prev = digestOf(canonicalJson(record));
    return record;
  });
}

function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${canonicalJson(record)}\n`).join("");
}

function read(
  text: string | Uint8Array,
): { reader: AuditReader; records: AuditRecord[] } {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const file = holding(bytes);
  const reader = new AuditReader(file, RUN_ID, SMALL_CATALOGUE, SEALED);
  return { reader, records: [...reader] };
}

/** Number of the line that is found wrong, and why. */
function finding(text: string | Uint8Array): [line: number, why: string] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof AuditFinding) return [error.line, error.message];
    throw error;
  }
  throw new assert.AssertionError({ message: "Nothing was found" });
}

Deno.test("AuditReader reads a chain and tells where it ends", () => {
  const records = chain("one", "two", "three");
  const { reader, records: found } = read(lines(...records));
  assert.deepEqual(found, records);
  assert.deepEqual(reader.head, {
    head: digestOf(canonicalJson(records[2])),
    count: 3,
  });
  assert.deepEqual(reader.tail, { kind: "clean" });
});

Deno.test("AuditReader names a key that it doesn't know without writing to the terminal", () => {
  const [record] = chain("one");
  const key = "\u001b[31mx\u2028";
  const shown = "\\u{1b}[31mx\\u{2028}";
  assert.deepEqual(finding(lines({ ...record, [key]: 1 })), [
    1,
    `The line isn't a record: ${shown} is 1, not nothing`,
  ]);
  assert.deepEqual(
    finding(lines({ ...record, content: { text: "", [key]: 1 } })),
    [
      1,
      `"made" has other content: content.${shown} is 1, not nothing`,
    ],
  );
});

Deno.test("AuditReader reads an audit of no bytes", () => {
  const { reader, records } = read("");
  assert.deepEqual(records, []);
  assert.deepEqual(reader.head, SEALED);
  assert.deepEqual(reader.tail, { kind: "clean" });
});

Deno.test("AuditReader tells no tail before the end", () => {
  const file = holding(encoder.encode(lines(...chain("one", "two"))));
  const reader = new AuditReader(file, RUN_ID, SMALL_CATALOGUE, SEALED);
  for (const _ of reader) break;
  assert.equal(reader.tail, null);
  assert.equal(reader.head.count, 1);
});

Deno.test("AuditReader goes on in a chain that has begun elsewhere", () => {
  const [first, second] = chain("one", "two");
  const head = digestOf(canonicalJson(first)) as typeof SEALED.head;
  const file = holding(encoder.encode(lines(second)));
  const reader = new AuditReader(file, RUN_ID, SMALL_CATALOGUE, {
    head,
    count: 1,
  });
  assert.deepEqual([...reader], [second]);
  assert.equal(reader.head.count, 2);
});

Deno.test("AuditReader tells a torn tail from zeros", () => {
  const whole = lines(...chain("one"));
  for (
    const [tail, kind] of [
      ['{"at":nu', "torn"],
      ["x", "torn"],
      ["\0\0\0\0", "nul_padding"],
      ["\0\0x\0", "torn"],
      [lines(...chain("one", "two").slice(1)).slice(0, -1), "torn"],
    ] as const
  ) {
    const { reader, records } = read(whole + tail);
    assert.equal(records.length, 1);
    assert.deepEqual(reader.tail, {
      kind,
      bytes: tail.length,
      sha256: digestOf(tail),
    });
  }
});

Deno.test("AuditReader reads zeros over a record's bound, and nothing else", () => {
  const whole = encoder.encode(lines(...chain("one")));
  for (const length of [1, 65_536, MAX_RECORD_BYTES + 1, 1_000_000]) {
    const bytes = new Uint8Array(whole.length + length);
    bytes.set(whole);
    const { reader } = read(bytes);
    assert.deepEqual(reader.tail, {
      kind: "nul_padding",
      bytes: length,
      sha256: digestOf(new Uint8Array(length)),
    });
  }
  const long = new Uint8Array(1_000_000).fill(0x20);
  assert.equal(finding(long)[0], 1);
  const late = new Uint8Array(1_000_000);
  late[999_999] = 0x20;
  assert.equal(finding(late)[0], 1);
});

Deno.test("AuditReader joins records that its reads cut", () => {
  for (const length of [65_000, 65_535, 65_536, 100_000]) {
    const records = chain("x".repeat(length), "y".repeat(length), "z");
    assert.deepEqual(read(lines(...records)).records, records);
  }
  // The end of the file is the end of a read.
  const empty = lines(...chain("")).length;
  const exact = lines(...chain("x".repeat(65_536 - empty)));
  assert.equal(exact.length, 65_536);
  const { reader, records } = read(exact);
  assert.equal(records.length, 1);
  assert.deepEqual(reader.tail, { kind: "clean" });
});

const WRONG: readonly [
  what: string,
  change: (record: Record<string, unknown>) => unknown,
  why: RegExp,
][] = [
  [
    "another run",
    (record) => ({ ...record, run_id: crypto.randomUUID() }),
    /run/,
  ],
  ["a number left out", (record) => ({ ...record, event_id: 3 }), /number/],
  ["a number again", (record) => ({ ...record, event_id: 1 }), /number/],
  [
    "another chain",
    (record) => ({ ...record, prev: digestOf("") }),
    /^Either line 1 or this record's prev was altered; expected is the digest of line 1 as it is: prev is /,
  ],
  [
    "an unknown event",
    (record) => ({ ...record, event: "unheard" }),
    /no derived event/,
  ],
  [
    "an event of every object",
    (record) => ({ ...record, event: "constructor" }),
    /no derived event/,
  ],
  [
    "a fact's name",
    (record) => ({ ...record, event: "seen" }),
    /no derived event/,
  ],
  [
    "a fact without a place",
    (record) => ({ ...record, kind: "fact", event: "seen" }),
    /no fact event/,
  ],
  [
    "a derived event with a place",
    (record) => ({ ...record, at: "here" }),
    /no derived event/,
  ],
  [
    "other content",
    (record) => ({ ...record, content: { text: 1 } }),
    /other content/,
  ],
  [
    "more content",
    (record) => ({ ...record, content: { text: "", more: 1 } }),
    /other content/,
  ],
  ["another field", (record) => ({ ...record, more: 1 }), /isn't a record/],
  ["a field less", ({ source: _, ...record }) => record, /isn't a record/],
  [
    "time that runs backwards from zero",
    (record) => ({ ...record, monotonic_ms: -1 }),
    /isn't a record/,
  ],
  ["no object", () => [1], /isn't a record/],
];

for (const [what, change, why] of WRONG) {
  Deno.test(`AuditReader finds ${what}`, () => {
    const [first, second = {}] = chain("one", "two");
    const [line, message] = finding(lines(first, change(second)));
    assert.equal(line, 2);
    assert.match(message, why);
  });
}

Deno.test("AuditReader says what a first record should chain to", () => {
  const [record] = chain("one");
  const other = lines({ ...record, prev: "0".repeat(64) });
  assert.match(
    finding(other)[1],
    /^Either manifest.json or this record's prev was altered; expected is the digest of manifest.json as it is: prev is "0+", not "/,
  );
  const next = lines({ ...record, event_id: 8, prev: "0".repeat(64) });
  const recovery = new AuditReader(
    holding(encoder.encode(next)),
    RUN_ID,
    SMALL_CATALOGUE,
    { head: SEALED.head, count: 7 },
  );
  assert.throws(
    () => [...recovery],
    /^AuditFinding: Either the audit's last line or this record's prev was altered; /,
  );
});

Deno.test("AuditReader finds what isn't one canonical line", () => {
  const [first, second] = chain("one", "two");
  const whole = lines(first);
  const line = lines(second);
  for (
    const [text, why] of [
      [`${line.slice(0, -1)} \n`, /canonical/],
      [line.replace('"at":null,', '"at": null,'), /canonical/],
      [
        line.replace(/^\{"at":null,(.*)\}\n$/s, '{$1,"at":null}\n'),
        /canonical/,
      ],
      [line.replace('"text":"two"', '"text":"\\u0074wo"'), /canonical/],
      [line.replace('"event_id":2', '"event_id":2.0'), /canonical/],
      [line.replace("\n", "\r\n"), /^The line ends with CR LF; was it conv/],
      [line.replace("\n", "\r \n"), /canonical/],
      [`\ufeff${line}`, /^A byte order mark is in front of the record/],
      [`text ${line}`, /^The line isn't one JSON value/],
      ["\n", /^The line is empty/],
      [
        `${line.slice(0, -1)}${line}`,
        /^A second record begins on the line, at character \d+/,
      ],
      ["{}\n", /record/],
      ["null\n", /record/],
      ["[\n", /JSON/],
    ] as const
  ) {
    const [number, message] = finding(whole + text);
    assert.equal(number, 2, text);
    assert.match(message, why, text);
  }
  const notText = Uint8Array.of(
    ...encoder.encode(whole),
    0x22,
    0xff,
    0x22,
    0x0a,
  );
  assert.match(finding(notText)[1], /UTF-8/);
});
