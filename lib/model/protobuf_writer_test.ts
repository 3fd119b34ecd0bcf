import { deepStrictEqual as equal } from "node:assert/strict";
import { ProtobufWriter } from "./protobuf_writer.ts";

const hex = (writer: ProtobufWriter) => writer.finish().toHex();

Deno.test("ProtobufWriter writes varints, negative ones in ten bytes", () => {
  equal(hex(new ProtobufWriter().int(1, 150)), "089601");
  equal(hex(new ProtobufWriter().int(1, 0)), "0800");
  equal(hex(new ProtobufWriter().int(16, 127)), "80017f");
  equal(hex(new ProtobufWriter().int(1, -1)), "08ffffffffffffffffff01");
  equal(
    hex(new ProtobufWriter().int(1, 2n ** 63n - 1n)),
    "08ffffffffffffffff7f",
  );
});

Deno.test("ProtobufWriter writes floats, texts, bytes and messages", () => {
  equal(hex(new ProtobufWriter().float(2, 1)), "150000803f");
  equal(hex(new ProtobufWriter().text(2, "testing")), "120774657374696e67");
  equal(hex(new ProtobufWriter().text(2, "é")), "1202c3a9");
  equal(hex(new ProtobufWriter().bytes(2, new Uint8Array())), "1200");
  equal(
    hex(new ProtobufWriter().message(3, new ProtobufWriter().int(1, 150))),
    "1a03089601",
  );
});

Deno.test("ProtobufWriter grows with what it is given", () => {
  const long = new Uint8Array(100_000).fill(7);
  const writer = new ProtobufWriter().int(1, 1).bytes(2, long).int(3, 3);
  equal(writer.finish().length, 2 + 1 + 3 + long.length + 2);
  equal(writer.finish().subarray(-2), new Uint8Array([0x18, 3]));
});
