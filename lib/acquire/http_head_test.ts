import assert from "node:assert/strict";
import { type BodyFraming, headEnd, parseHead } from "./http_head.ts";
import { TransportFault } from "./transport_fault.ts";

function head(...lines: string[]): ReturnType<typeof parseHead> {
  return parseHead(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
}

function framing(...fields: string[]): BodyFraming {
  return head("HTTP/1.1 200 OK", ...fields).framing;
}

function refuses(...lines: string[]): void {
  assert.throws(
    () => head(...lines).field("x"),
    (error) => error instanceof TransportFault && error.kind === "protocol",
    lines.join("|"),
  );
}

Deno.test("parseHead() reads status and fields, names in any case", () => {
  const read = head("HTTP/1.1 302 Found", "LOCATION: /a b ", "X:", "y:\t1");
  assert.equal(read.status, 302);
  assert.equal(read.field("Location"), "/a b");
  assert.equal(read.field("x"), "");
  assert.equal(read.field("Y"), "1");
  assert.equal(read.field("absent"), null);
});

Deno.test("parseHead() takes a status line without a reason, and HTTP/1.0", () => {
  assert.equal(head("HTTP/1.1 200").status, 200);
  assert.equal(head("HTTP/1.0 404 Not Found").status, 404);
});

Deno.test("parseHead() refuses what could mean two things", () => {
  for (
    const line of [
      "HTTP/2 200 OK",
      "HTTP/1.1 20 OK",
      "HTTP/1.1 600 X",
      "HTTP/1.1  200 OK",
      "ICY 200 OK",
      "http/1.1 200 OK",
    ]
  ) refuses(line);
  for (
    const field of [
      "no colon",
      "name : value",
      " folded: value",
      ": value",
      "x: a\0b",
      "x: a\nb: c",
    ]
  ) refuses("HTTP/1.1 200 OK", field);
  refuses("HTTP/1.1 200 OK", "X: 1", "x: 2");
  refuses("HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2");
  assert.equal(head("HTTP/1.1 200 OK", "X: 1", "x: 1").field("x"), "1");
});

Deno.test("parseHead() tells how the body ends", () => {
  assert.deepEqual(framing("Content-Length: 7"), { kind: "length", bytes: 7 });
  assert.deepEqual(framing("Transfer-Encoding: Chunked"), { kind: "chunked" });
  assert.deepEqual(framing(), { kind: "until_close" });
  assert.deepEqual(head("HTTP/1.1 204 None").framing, {
    kind: "length",
    bytes: 0,
  });
  for (const length of ["-1", "+1", "1.0", "0x1", "", "1 1", "1".repeat(16)]) {
    refuses("HTTP/1.1 200 OK", `Content-Length: ${length}`);
  }
  refuses("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked");
  refuses(
    "HTTP/1.1 200 OK",
    "Transfer-Encoding: chunked",
    "Content-Length: 1",
  );
});

Deno.test("headEnd() finds the empty line, also across reads", () => {
  const bytes = new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\nbody");
  assert.equal(headEnd(bytes), 19);
  for (let from = 0; from <= 18; from++) assert.equal(headEnd(bytes, from), 19);
  assert.equal(headEnd(bytes.subarray(0, 18)), -1);
  assert.equal(headEnd(new TextEncoder().encode("a\n\nb\n")), -1);
});
