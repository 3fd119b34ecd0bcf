import assert from "node:assert/strict";
import fc from "fast-check";
import { type ByteStream, responseBody } from "./http_body.ts";
import type { BodyFraming } from "./http_head.ts";
import { TransportFault } from "./transport_fault.ts";

/** A connection that gives at most `most` bytes a read, then its end. */
function stream(text: string, most = 3): ByteStream {
  let left = new TextEncoder().encode(text);
  return {
    read: (into) => {
      if (left.length === 0) return Promise.resolve(null);
      const count = Math.min(most, into.length, left.length);
      into.set(left.subarray(0, count));
      left = left.subarray(count);
      return Promise.resolve(count);
    },
  };
}

async function readAll(
  framing: BodyFraming,
  from: ByteStream,
  room = 5,
): Promise<string> {
  const body = responseBody(framing, from);
  const buffer = new Uint8Array(room);
  let text = "";
  for (;;) {
    const count = await body.read(buffer);
    if (count === null) return text;
    assert.ok(count > 0 && count <= room);
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
}

const kindOf = (kind: string) => (error: unknown): boolean =>
  error instanceof TransportFault && error.kind === kind;

Deno.test("responseBody() reads exactly the announced length", async () => {
  const from = stream("hello, more");
  assert.equal(await readAll({ kind: "length", bytes: 5 }, from), "hello");
  assert.equal(await readAll({ kind: "until_close" }, from), ", more");
});

Deno.test("responseBody() says what is left", async () => {
  const body = responseBody({ kind: "length", bytes: 5 }, stream("hello", 2));
  assert.equal(body.left(), 5);
  await body.read(new Uint8Array(5));
  assert.equal(body.left(), 3);
  assert.equal(responseBody({ kind: "chunked" }, stream("")).left(), null);
  assert.equal(responseBody({ kind: "until_close" }, stream("")).left(), null);
});

Deno.test("responseBody() takes an early end for a fault", async () => {
  for (
    const [framing, text] of [
      [{ kind: "length", bytes: 6 }, "hello"],
      [{ kind: "chunked" }, "5\r\nhel"],
      [{ kind: "chunked" }, "5\r\nhello\r\n"],
      [{ kind: "chunked" }, ""],
    ] as const
  ) await assert.rejects(readAll(framing, stream(text)), kindOf("ended"));
});

Deno.test("responseBody() joins chunks, with extensions and trailers", async () => {
  const text = "3;a=b\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX: y\r\n\r\n";
  assert.equal(
    await readAll({ kind: "chunked" }, stream(text)),
    "abc0123456789",
  );
});

Deno.test("responseBody() refuses malformed chunks", async () => {
  for (
    const text of [
      "x\r\n",
      "\r\n",
      "-1\r\n",
      "1\r\nab\r\n0\r\n\r\n",
      "0x1\r\na\r\n",
      "1".repeat(300),
      "1000000000000f\r\n",
    ]
  ) {
    await assert.rejects(
      readAll({ kind: "chunked" }, stream(text)),
      kindOf("protocol"),
      text,
    );
  }
});

Deno.test("responseBody() bounds what lies between and after chunks", async () => {
  const fill = `X: ${"y".repeat(250)}\r\n`;
  // 16 KiB and eight for the one byte of payload, with "1", "", "0" and the end.
  const rest = 16_384 + 8 - "1\r\n\r\n0\r\n\r\n".length;
  const fields = fill.repeat(Math.floor(rest / fill.length));
  const last = (more: number) =>
    `${"z".repeat(rest % fill.length - 2 + more)}\r\n`;
  const body = (more: number) => `1\r\na\r\n0\r\n${fields}${last(more)}\r\n`;
  assert.equal(await readAll({ kind: "chunked" }, stream(body(0))), "a");
  for (
    const text of [
      body(1),
      // Half a megabyte of extensions for a kilobyte of payload.
      `1;${"e".repeat(200)}\r\na\r\n`.repeat(1_000) + "0\r\n\r\n",
    ]
  ) {
    await assert.rejects(
      readAll({ kind: "chunked" }, stream(text)),
      kindOf("protocol"),
    );
  }
});

Deno.test("responseBody() gives chunked text back, however it is cut", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 8 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
    async (parts, most, room) => {
      const ascii = parts.map((part) => part.replace(/[^ -~]/g, "."));
      const text = ascii.map((part) =>
        `${part.length.toString(16)}\r\n${part}\r\n`
      ).join("") + "0\r\n\r\n";
      assert.equal(
        await readAll({ kind: "chunked" }, stream(text, most), room),
        ascii.join(""),
      );
    },
  ));
});
