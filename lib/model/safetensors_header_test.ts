import {
  deepStrictEqual as equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import { ModelRefusal } from "./model_refusal.ts";
import {
  MAX_HEADER_BYTES,
  readSafetensorsHeader,
} from "./safetensors_header.ts";

function file(
  header: string | object,
  dataBytes: number,
  claimed?: bigint,
): Uint8Array {
  const text = new TextEncoder().encode(
    typeof header === "string" ? header : JSON.stringify(header),
  );
  const bytes = new Uint8Array(8 + text.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(
    0,
    claimed ?? BigInt(text.length),
    true,
  );
  bytes.set(text, 8);
  return bytes;
}

const read = (bytes: Uint8Array) =>
  readSafetensorsHeader(
    bytes.length,
    (offset, length) => bytes.slice(offset, offset + length),
  );

function refused(bytes: Uint8Array, why: RegExp): void {
  throws(() => read(bytes), (error) => {
    ok(error instanceof ModelRefusal);
    match(error.message, why);
    match(error.message, /^The weights[^\n]*$/);
    return true;
  });
}

const tensor = (
  begin: number,
  end: number,
  shape: unknown = [(end - begin) / 2],
  dtype = "BF16",
) => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});

Deno.test("readSafetensorsHeader() gives places in the file, in the order of the data", () => {
  const header = {
    __metadata__: { format: "pt" },
    b: tensor(8, 12),
    a: tensor(0, 8, [2, 2]),
    c: tensor(12, 12, [0, 5]),
  };
  const bytes = file(header, 12);
  const start = bytes.length - 12;
  equal([...read(bytes)], [
    ["a", { dtype: "BF16", shape: [2, 2], offset: start, length: 8 }],
    ["b", { dtype: "BF16", shape: [2], offset: start + 8, length: 4 }],
    ["c", { dtype: "BF16", shape: [0, 5], offset: start + 12, length: 0 }],
  ]);
  equal([...read(file("{}", 0))], []);
  equal([...read(file("{}      ", 0))], []);
});

Deno.test("readSafetensorsHeader() refuses a header that isn't in the file", () => {
  refused(new Uint8Array(7), /have 7 bytes: a safetensors file has at least 8/);
  refused(file("{}", 0, 3n), /claims 3 bytes, more than the file has/);
  refused(
    file("{}", 0, BigInt(MAX_HEADER_BYTES)),
    /claims 1048576 bytes, more than/,
  );
  refused(
    file("{}", 0, BigInt(MAX_HEADER_BYTES) + 1n),
    /claims 1048577 bytes: the most is 1048576/,
  );
  refused(
    file("{}", 0, 2n ** 63n),
    /claims 9223372036854775808 bytes: the most is/,
  );
  refused(file("{}", 0, 2n ** 64n - 1n), /claims 18446744073709551615 bytes/);
  refused(file("", 0, 0n), /doesn't begin with/);
});

Deno.test("readSafetensorsHeader() refuses a header that isn't one", () => {
  refused(file("[]", 0), /doesn't begin with "{"/);
  refused(file(" {}", 0), /doesn't begin with "{"/);
  refused(file('{"a":', 0), /isn't JSON/);
  refused(
    file(
      `{"a":${JSON.stringify(tensor(0, 2))},"a":${
        JSON.stringify(tensor(0, 2))
      }}`,
      2,
    ),
    /isn't JSON: Duplicate key/,
  );
  refused(file('{"a":[[[[[1]]]]]}', 0), /isn't JSON: Level 5/);
  refused(file({ __metadata__: { format: 1 } }, 0), /__metadata__/);
  refused(file({ __metadata__: [] }, 0), /__metadata__/);
  refused(file({ a: null }, 0), /isn't described by/);
  refused(file({ a: { dtype: "BF16", shape: [1] } }, 2), /isn't described by/);
  refused(file({ a: { ...tensor(0, 2), more: 1 } }, 2), /isn't described by/);
});

Deno.test("readSafetensorsHeader() refuses tensors that aren't where they say", () => {
  refused(file({ a: tensor(0, 2, [1], "BF17") }, 2), /unknown dtype/);
  refused(file({ a: { ...tensor(0, 2), dtype: 5 } }, 2), /unknown dtype/);
  refused(
    file({ a: tensor(0, 2, ["1"]) }, 2),
    /shape that isn't whole numbers/,
  );
  refused(
    file({ a: tensor(0, 2, [-1, -1]) }, 2),
    /shape that isn't whole numbers/,
  );
  refused(
    file({ a: tensor(0, 2, [1.5]) }, 2),
    /shape that isn't whole numbers/,
  );
  refused(
    file({ a: { ...tensor(0, 2), data_offsets: [0, 1, 2] } }, 2),
    /data_offsets/,
  );
  refused(
    file({ a: { ...tensor(0, 2), data_offsets: [-2, 0] } }, 2),
    /data_offsets/,
  );
  refused(file({ a: tensor(2, 0, [1]) }, 2), /ends before it begins/);
  refused(file({ a: tensor(0, 4) }, 2), /lies outside of the file/);
  refused(
    file({ a: tensor(0, 2, [2]) }, 2),
    /takes 2 bytes where its shape and dtype need 4/,
  );
  refused(
    file({ a: tensor(0, 2, [1], "F32") }, 2),
    /takes 2 bytes where its shape and dtype need 4/,
  );
  refused(
    file(
      '{"a":{"dtype":"U8","shape":[1],"data_offsets":[9223372036854775808,9223372036854775809]}}',
      2,
    ),
    /cannot be kept exactly/,
  );
  refused(
    file(
      '{"a":{"dtype":"U8","shape":[4503599627370496,4503599627370496],"data_offsets":[0,2]}}',
      2,
    ),
    /takes 2 bytes where its shape and dtype need more than a file has$/,
  );
  const most = Number.MAX_SAFE_INTEGER;
  // The product alone would be Infinity, and times zero no number at all.
  equal(
    read(file({ a: tensor(0, 0, [...Array(20).fill(most), 0]) }, 0)).get("a")
      ?.length,
    0,
  );
  refused(
    file({ a: tensor(0, 4), b: tensor(2, 6) }, 6),
    /"b" overlaps another one/,
  );
  refused(
    file({ a: tensor(0, 4), b: tensor(0, 4) }, 4),
    /overlaps another one/,
  );
  refused(
    file({ a: tensor(2, 4) }, 4),
    /2 bytes before the tensor "a" that belong to none/,
  );
  refused(
    file({ a: tensor(0, 2), b: tensor(4, 6) }, 6),
    /2 bytes before the tensor "b"/,
  );
  refused(file({ a: tensor(0, 2) }, 3), /1 bytes after the last tensor/);
});

Deno.test("readSafetensorsHeader() shows a tensor's name safely", () => {
  refused(
    file({ "\u202e\u001b[31m": tensor(0, 4) }, 2),
    /"\\u\{202e\}\\u\{1b\}\[31m" lies outside/,
  );
  const proto = file(
    '{"__proto__":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
    1,
  );
  equal([...read(proto).keys()], ["__proto__"]);
});
