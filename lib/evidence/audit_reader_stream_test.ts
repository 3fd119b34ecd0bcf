import assert from "node:assert/strict";
import type { FileHandle } from "../system/files.ts";
import { sha256 } from "../system/sha256.ts";
import {
  AuditFinding,
  AuditReader,
  MAX_PADDING_BYTES,
} from "./audit_reader.ts";
import { canonicalJson, MAX_RECORD_BYTES } from "./audit_record.ts";
import { withLoopEvents } from "./event_schemas.ts";

const RUN_ID = "00000000-0000-4000-8000-000000000000";
const FIRST = { head: sha256("manifest"), count: 0 };
const CATALOGUE = withLoopEvents({ facts: {}, derived: {} });

/** Lines of a chain, made one after the other as they are read. */
function* chain(count: number, filler: string): Generator<string, void> {
  let prev = FIRST.head;
  for (let event_id = 1; event_id <= count; event_id++) {
    const line = canonicalJson({
      run_id: RUN_ID,
      event_id,
      event: "request_assembled",
      kind: "derived",
      at: null,
      proposal_number: null,
      monotonic_ms: event_id,
      wall_time: "2026-01-01T00:00:00.000Z",
      source: "stdio",
      prev,
      content: { messages: [{ role: "user", content: filler }] },
    });
    prev = sha256(line);
    yield `${line}\n`;
  }
}

/** A file whose bytes come into being as they are read. */
class LazyFile implements FileHandle {
  /** Bytes handed out so far. */
  bytesRead = 0;
  readonly #pieces: Iterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  read(maxBytes: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    while (length < maxBytes) {
      if (this.#rest.length === 0) {
        const { done, value } = this.#pieces.next();
        if (done) break;
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, maxBytes - length);
      this.#rest = this.#rest.subarray(part.length);
      parts.push(part);
      length += part.length;
    }
    this.bytesRead += length;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  facts(): never {
    throw new Error("Not asked for");
  }
  write(): never {
    throw new Error("Read only");
  }
  sync(): void {}
  close(): void {}
}

function reader(file: FileHandle): AuditReader {
  return new AuditReader(file, RUN_ID, CATALOGUE, FIRST);
}

function* encoded(lines: Iterable<string>): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const line of lines) yield encoder.encode(line);
}

Deno.test("AuditReader reads ahead by one block, however long the audit is", () => {
  const file = new LazyFile(encoded(chain(300, "x".repeat(100_000))));
  let consumed = 0;
  let furthest = 0;
  for (const record of reader(file)) {
    consumed += canonicalJson(record).length + 1;
    furthest = Math.max(furthest, file.bytesRead - consumed);
  }
  assert.ok(consumed > 30_000_000);
  assert.ok(furthest <= 64 * 1_024, `${furthest}`);
});

function padded(bytes: number): LazyFile {
  return new LazyFile([...encoded(chain(2, "")), new Uint8Array(bytes)]);
}

Deno.test("AuditReader tells NUL padding in one pass", () => {
  const bytes = MAX_PADDING_BYTES;
  const audit = reader(padded(bytes));
  assert.equal([...audit].length, 2);
  assert.deepEqual(audit.tail, {
    kind: "nul_padding",
    bytes,
    sha256: sha256(new Uint8Array(bytes)),
  });
});

Deno.test("AuditReader reads no more NUL padding than its bound", () => {
  const file = padded(4 * MAX_PADDING_BYTES);
  assert.throws(() => [...reader(file)], (error) => {
    assert.ok(error instanceof AuditFinding);
    assert.equal(error.line, 3);
    assert.match(error.message, /^More than 16777216 NUL bytes follow/);
    return true;
  });
  assert.ok(file.bytesRead < MAX_PADDING_BYTES + 1_000_000);
});

Deno.test("AuditReader refuses a line that is no padding and never ends", () => {
  for (const last of [0x78, 0]) {
    const endless = new Uint8Array(4 * MAX_RECORD_BYTES).fill(last);
    endless[endless.length - 1] = 0x78;
    const file = new LazyFile([...encoded(chain(1, "")), endless]);
    assert.throws(() => [...reader(file)], (error) => {
      assert.ok(error instanceof AuditFinding);
      assert.equal(error.line, 2);
      assert.equal(error.message, "The line is over 131072 bytes long");
      return true;
    });
  }
});

Deno.test("AuditReader takes a record of the most bytes, and none of one more", () => {
  const [empty = ""] = chain(1, "");
  const room = MAX_RECORD_BYTES - (empty.length - 1);
  const most = new LazyFile(encoded(chain(1, "x".repeat(room))));
  assert.equal([...reader(most)].length, 1);
  const more = new LazyFile(encoded(chain(1, "x".repeat(room + 1))));
  assert.throws(() => [...reader(more)], AuditFinding);
});
