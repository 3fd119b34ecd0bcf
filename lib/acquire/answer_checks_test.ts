import assert from "node:assert/strict";
import { contentFault, metadataFault, retryAfterMs } from "./answer_checks.ts";
import type { FileIdentity, PlannedFile } from "./checkpoint_plan.ts";
import { parseHead, type ResponseHead } from "./http_head.ts";

const COMMIT = "a".repeat(40);
const BLOB = "b".repeat(40);
const SHA = "c".repeat(64);

function file(identity: FileIdentity): PlannedFile {
  return { name: "f", bytes: 1_000, identity, url: "https://huggingface.co/f" };
}

function head(
  fields: Record<string, string>,
  status = 200,
): ResponseHead {
  const lines = Object.entries(fields).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  return parseHead(
    new TextEncoder().encode(`HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n`),
  );
}

function metadata(
  fields: Record<string, string>,
  identity: FileIdentity = { sha256: SHA },
): string | null {
  const fault = metadataFault(head(fields), file(identity), COMMIT);
  if (fault === null) return null;
  assert.deepEqual([fault.code, fault.then], ["metadata_mismatch", "end"]);
  return fault.why;
}

Deno.test("metadataFault() takes what is pinned, or nothing said", () => {
  assert.equal(metadata({}), null);
  assert.equal(
    metadata({
      "X-Repo-Commit": COMMIT,
      "X-Linked-Size": "1000",
      "X-Linked-ETag": `"${SHA}"`,
    }),
    null,
  );
  assert.equal(
    metadata({ "X-Linked-ETag": `W/"${BLOB.toUpperCase()}"` }, {
      gitBlobSha1: BLOB,
    }),
    null,
  );
});

Deno.test("metadataFault() refuses each field that is another one", () => {
  assert.match(metadata({ "X-Repo-Commit": "main" })!, /"main"/);
  assert.match(metadata({ "X-Repo-Commit": "" })!, /revision ""/);
  for (const size of ["999", "1001", "1000.0", "", "1e3"]) {
    assert.match(metadata({ "X-Linked-Size": size })!, /instead of 1,000/);
  }
  for (const tag of ["d".repeat(64), "x", "", '""', `"${SHA}`.slice(0, 60)]) {
    assert.match(metadata({ "X-Linked-ETag": tag })!, /identity as/, tag);
  }
  assert.match(
    metadata({ "X-Linked-ETag": "d".repeat(40) }, { gitBlobSha1: BLOB })!,
    /identity/,
  );
});

Deno.test("metadataFault() leaves an identity of the other kind to the bytes", () => {
  assert.equal(metadata({ "X-Linked-ETag": `"${BLOB}"` }), null);
  assert.equal(
    metadata({ "X-Linked-ETag": `"${SHA}"` }, { gitBlobSha1: BLOB }),
    null,
  );
});

Deno.test("metadataFault() shows a hostile field without its controls", () => {
  const why = metadata({ "X-Repo-Commit": 'a"\u00e9' + "x".repeat(200) })!;
  assert.ok(why.length < 200, why);
  assert.match(why, /^[ -~]*$/);
});

Deno.test("contentFault() takes the exact rest and nothing else", () => {
  const judge = (
    fields: Record<string, string>,
    status: number,
    fromByte: number,
  ): string | null =>
    contentFault(head(fields, status), file({ sha256: SHA }), fromByte)?.why ??
      null;
  const range = { "Content-Range": "bytes 400-999/1000" };
  assert.equal(judge(range, 206, 400), null);
  assert.equal(judge({ ...range, "Content-Length": "600" }, 206, 400), null);
  assert.match(
    judge({ ...range, "Content-Length": "599" }, 206, 400)!,
    /announced 599 bytes for a part of 600/,
  );
  for (
    const other of [
      "bytes 0-999/1000",
      "bytes 401-999/1000",
      "bytes 400-998/1000",
      "bytes 400-999/1001",
      "bytes 400-999/*",
      "400-999/1000",
    ]
  ) assert.match(judge({ "Content-Range": other }, 206, 400)!, /the part/);
  assert.match(judge({}, 206, 400)!, /without saying which/);
  assert.match(judge(range, 206, 0)!, /the whole file/);
  assert.equal(judge({}, 200, 400), null);
  assert.match(judge({ "Content-Encoding": "br" }, 200, 0)!, /compressed/);
  assert.equal(judge({ "Content-Encoding": "Identity" }, 200, 0), null);
});

Deno.test("retryAfterMs() reads seconds and dates", () => {
  const wait = (value: string): number | null =>
    retryAfterMs(head({ "Retry-After": value }), Date.UTC(2026, 0, 1));
  assert.equal(wait("0"), 0);
  assert.equal(wait("120"), 120_000);
  assert.equal(wait("Thu, 01 Jan 2026 00:00:05 GMT"), 5_000);
  assert.equal(wait("Thu, 01 Jan 2020 00:00:05 GMT"), 0);
  assert.equal(wait("soon"), null);
  assert.equal(retryAfterMs(head({}), 0), null);
});
