import assert from "node:assert/strict";
import fc from "fast-check";
import { type Line, readLines } from "./read_lines.ts";

const encoder = new TextEncoder();

async function* chunks(
  pieces: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function linesOf(
  pieces: readonly (string | Uint8Array)[],
  maxBytes = 10,
): Promise<Line[]> {
  const bytes = pieces.map((piece) =>
    typeof piece === "string" ? encoder.encode(piece) : piece
  );
  return await Array.fromAsync(readLines(chunks(bytes), { maxBytes }));
}

function line(text: string): Line {
  return { bytes: encoder.encode(text) };
}

Deno.test("readLines() splits at line feeds alone", async () => {
  assert.deepEqual(await linesOf(["a\nb\r\n\nc\n"]), [
    line("a"),
    line("b\r"),
    line(""),
    line("c"),
  ]);
  assert.deepEqual(await linesOf(["a\u2028b"]), [line("a\u2028b")]);
});

Deno.test("readLines() takes what follows the last line feed, unless it is empty", async () => {
  assert.deepEqual(await linesOf(["a\nb"]), [line("a"), line("b")]);
  assert.deepEqual(await linesOf(["a\n"]), [line("a")]);
  assert.deepEqual(await linesOf([]), []);
  assert.deepEqual(await linesOf([""]), []);
});

Deno.test("readLines() joins a line from its chunks", async () => {
  assert.deepEqual(await linesOf(["a", "", "b", "c\nd", "\n"]), [
    line("abc"),
    line("d"),
  ]);
});

Deno.test("readLines() holds its bound on both sides", async () => {
  const bound = "x".repeat(10);
  assert.deepEqual(await linesOf([`${bound}\n`]), [line(bound)]);
  assert.deepEqual(await linesOf([`${bound}x\n`]), [{ tooLong: true }]);
  assert.deepEqual(await linesOf([bound, "\n"]), [line(bound)]);
  assert.deepEqual(await linesOf([bound, "x\n"]), [{ tooLong: true }]);
  assert.deepEqual(await linesOf([bound]), [line(bound)]);
  assert.deepEqual(await linesOf([`${bound}x`]), [{ tooLong: true }]);
});

Deno.test("readLines() goes on after a line that is too long", async () => {
  const long = Array.from({ length: 100 }, () => "xxxxxxx");
  assert.deepEqual(await linesOf([...long, "\nnext\n", ...long, "\n", "z"]), [
    { tooLong: true },
    line("next"),
    { tooLong: true },
    line("z"),
  ]);
});

Deno.test("readLines() doesn't depend on how the stream is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 60 }),
      fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
      async (text, cuts) => {
        const bytes = encoder.encode(text);
        const places = [0, ...cuts, bytes.length].sort((a, b) => a - b);
        const pieces = places.slice(1).map((end, index) =>
          bytes.subarray(places[index], end)
        );
        assert.deepEqual(await linesOf(pieces, 5), await linesOf([text], 5));
      },
    ),
  );
});

Deno.test("readLines() keeps a line's bytes when its chunk is used again", async () => {
  const buffer = encoder.encode("ab");
  async function* reused() {
    yield buffer;
    buffer.set(encoder.encode("c\n"));
    yield buffer;
  }
  assert.deepEqual(
    await Array.fromAsync(readLines(reused(), { maxBytes: 10 })),
    [
      line("abc"),
    ],
  );
});

Deno.test("readLines() tells a line over the bound before it ends, once", async () => {
  const arrived: Line[] = [];
  async function* neverEnding() {
    yield encoder.encode("xxxxxx");
    yield encoder.encode("xxxxx");
    assert.deepEqual(arrived, [{ tooLong: true }]);
    yield encoder.encode("xxxxx");
  }
  for await (const one of readLines(neverEnding(), { maxBytes: 10 })) {
    arrived.push(one);
  }
  assert.deepEqual(arrived, [{ tooLong: true }]);
});

Deno.test("readLines() says when it has caught up with what arrived", async () => {
  const told: unknown[] = [];
  const pieces = ["a\nb\n", "c", "d\n"].map((text) => encoder.encode(text));
  const lines = readLines(chunks(pieces), {
    maxBytes: 10,
    caughtUp: () => told.push("caught up"),
  });
  for await (const one of lines) told.push(one);
  assert.deepEqual(told, [
    line("a"),
    line("b"),
    "caught up",
    "caught up",
    line("cd"),
    "caught up",
  ]);
});
