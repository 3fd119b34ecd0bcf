import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { digestOf } from "../../tests/closed_run.ts";
import { FaultyFiles } from "../../tests/faulty_files.ts";
import { SEALED, unchained } from "../../tests/small_audit.ts";
import { diskFiles, type FileHandle } from "../system/files.ts";
import { MAX_RECORD_BYTES } from "./audit_record.ts";
import { AUDIT_NAME, AuditFault, AuditWriter } from "./audit_writer.ts";

/** A file in memory that counts its flushes and can be told to fail. */
class MemoryFile implements FileHandle {
  text = "";
  flushed = 0;
  fault: "short" | "write" | "sync" | null = null;

  facts(): never {
    throw new Error("not asked");
  }
  read(): never {
    throw new Error("not asked");
  }
  write(bytes: Uint8Array): number {
    if (this.fault === "write") throw systemError("EIO");
    const stored = this.fault === "short" ? bytes.subarray(0, 7) : bytes;
    this.text += new TextDecoder().decode(stored);
    return stored.length;
  }
  sync(): void {
    if (this.fault === "sync") throw systemError("ENOSPC");
    this.flushed++;
  }
  close(): void {}
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

Deno.test("AuditWriter.create() refuses a file that is there", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/${AUDIT_NAME}`, "kept");
  assert.throws(
    () => AuditWriter.create(diskFiles, folder.path, SEALED.head),
    (error) => error instanceof AuditFault && error.code === "EEXIST",
  );
  assert.equal(
    fs.readFileSync(`${folder.path}/${AUDIT_NAME}`, "utf8"),
    "kept",
  );
});

Deno.test("AuditWriter.create() holds the lock until close()", () => {
  using folder = freshFolder();
  const path = `${folder.path}/${AUDIT_NAME}`;
  const writer = AuditWriter.create(diskFiles, folder.path, SEALED.head);
  assert.equal(diskFiles.lock(path), null);
  writer.close();
  const lock = diskFiles.lock(path);
  assert.notEqual(lock, null);
  lock?.release();
});

Deno.test("AuditWriter.create() refuses a lock that somebody else holds", () => {
  using folder = freshFolder();
  assert.throws(
    () =>
      AuditWriter.create(
        { ...diskFiles, lock: () => null },
        folder.path,
        SEALED.head,
      ),
    (error) => error instanceof AuditFault && error.code === "ELOCKED",
  );
});

Deno.test("AuditWriter.create() leaves nothing open where it fails", () => {
  for (const at of [3, 4]) {
    using folder = freshFolder();
    const files = new FaultyFiles(diskFiles, { kind: "eio", at });
    assert.throws(
      () => AuditWriter.create(files, folder.path, SEALED.head),
      (error) => error instanceof AuditFault && error.code === "EIO",
    );
    assert.deepEqual(files.operations.slice(-2), ["close", "release"]);
  }
});

Deno.test("AuditWriter.append() chains canonical lines by their bytes", () => {
  const file = new MemoryFile();
  const writer = new AuditWriter(file, SEALED, null);
  const first = writer.append(unchained("seen", 'ü "\n'), false);
  const second = writer.append(unchained("made", ""), false);
  const [one = "", two = "", rest] = file.text.split("\n");
  assert.equal(rest, "");
  assert.equal(
    one,
    '{"at":"here","content":{"text":"ü \\"\\n"},"event":"seen",' +
      '"event_id":1,"kind":"fact","monotonic_ms":1.5,"prev":"' +
      `${SEALED.head}","proposal_number":null,` +
      '"run_id":"00000000-0000-4000-8000-000000000000",' +
      '"source":"scripted","wall_time":"2026-01-01T00:00:00.000Z"}',
  );
  assert.deepEqual(JSON.parse(one), first);
  assert.deepEqual(JSON.parse(two), second);
  assert.equal(second.prev, digestOf(one));
  assert.equal(second.event_id, 2);
  assert.deepEqual(writer.head, { head: digestOf(two), count: 2 });
});

Deno.test("AuditWriter.append() flushes what must be durable, and that alone", () => {
  const file = new MemoryFile();
  const writer = new AuditWriter(file, SEALED, null);
  writer.append(unchained("made", ""), false);
  assert.equal(file.flushed, 0);
  writer.append(unchained("made", ""), true);
  assert.equal(file.flushed, 1);
  writer.close();
  assert.equal(file.flushed, 2);
});

for (
  const [fault, code] of [
    ["short", "ESHORT"],
    ["write", "EIO"],
    ["sync", "ENOSPC"],
  ] as const
) {
  Deno.test(`AuditWriter.append() writes nothing after a fault (${fault})`, () => {
    const file = new MemoryFile();
    const writer = new AuditWriter(file, SEALED, null);
    writer.append(unchained("made", "one"), true);
    const { head } = writer;
    file.fault = fault;
    const broken = (error: unknown) =>
      error instanceof AuditFault && error.code === code &&
      error.message === "Record 2 could not be written";
    assert.throws(() => writer.append(unchained("made", "two"), true), broken);
    const left = file.text;
    file.fault = null;
    assert.throws(
      () => writer.append(unchained("made", "three"), true),
      broken,
    );
    assert.equal(file.text, left);
    assert.deepEqual(writer.head, head);
    writer.close();
    assert.equal(file.flushed, 1);
  });
}

Deno.test("AuditWriter.append() holds the bound of a record on both sides", () => {
  const length = (text: string) => {
    const file = new MemoryFile();
    new AuditWriter(file, SEALED, null).append(unchained("made", text), false);
    return file.text.length - 1;
  };
  const fits = "x".repeat(MAX_RECORD_BYTES - length(""));
  assert.equal(length(fits), MAX_RECORD_BYTES);
  assert.throws(() => length(`${fits}x`), AuditFault);
});
