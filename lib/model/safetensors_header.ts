// The header of a safetensors file: eight bytes of length, then JSON, then one
// block of data that the tensors fill without gap or overlap. The file comes
// from outside; nothing in its header is believed before it is checked.

import type { Json, JsonObject } from "../agent/json.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { scanJson } from "../system/strict_json.ts";
import { refuse, shown } from "./model_refusal.ts";

/** One tensor of the file. */
export interface StoredTensor {
  readonly dtype: string;
  /** Elements along each axis. */
  readonly shape: readonly number[];
  /** Offset of its first byte in the file, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/**
 * Most bytes of a header. The format allows a hundred times as many; the largest
 * network that this program runs needs 0.4 MB.
 */
export const MAX_HEADER_BYTES = 1_024 * 1_024;

/** Bytes of one element, by the format's name of the type. */
const ELEMENT_BYTES: ReadonlyMap<string, number> = new Map([
  ["BOOL", 1],
  ["U8", 1],
  ["I8", 1],
  ["F8_E4M3", 1],
  ["F8_E5M2", 1],
  ["I16", 2],
  ["U16", 2],
  ["F16", 2],
  ["BF16", 2],
  ["I32", 4],
  ["U32", 4],
  ["F32", 4],
  ["I64", 8],
  ["U64", 8],
  ["F64", 8],
]);

/**
 * Reads the header.
 *
 * @param fileBytes Size of the file, in bytes.
 * @param read Bytes of the file from an offset.
 * @returns The tensors by name, in the order of their data.
 * @throws {ModelRefusal} If the header isn't one, or its tensors don't fill the
 * rest of the file exactly.
 */
export function readSafetensorsHeader(
  fileBytes: number,
  read: (offset: number, length: number) => Uint8Array,
): ReadonlyMap<string, StoredTensor> {
  if (fileBytes < 8) {
    refuse(
      `The weights have ${fileBytes} bytes: a safetensors file has at least 8`,
    );
  }
  const start = read(0, 8);
  const headerBytes = new DataView(start.buffer, start.byteOffset, 8)
    .getBigUint64(0, true);
  if (headerBytes > BigInt(MAX_HEADER_BYTES)) {
    refuse(
      `The weights' header claims ${headerBytes} bytes: the most is ${MAX_HEADER_BYTES}`,
    );
  }
  const dataStart = 8 + Number(headerBytes);
  if (dataStart > fileBytes) {
    refuse(
      `The weights' header claims ${headerBytes} bytes, more than the file has`,
    );
  }
  const header = headerObject(read(8, Number(headerBytes)));
  const tensors: [string, StoredTensor][] = [];
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") {
      requireMetadata(entry);
    } else {
      tensors.push([name, storedTensor(name, entry, dataStart, fileBytes)]);
    }
  }
  tensors.sort(([, a], [, b]) => a.offset - b.offset || a.length - b.length);
  requireFilled(tensors, dataStart, fileBytes);
  return new Map(tensors);
}

function headerObject(bytes: Uint8Array): JsonObject {
  if (bytes[0] !== 0x7b) {
    refuse(`The weights' header doesn't begin with "{"`);
  }
  const scan = scanJson(bytes, { maxDepth: 4 });
  if (!scan.ok) refuse(`The weights' header isn't JSON: ${scan.message}`);
  const plain = toPlainJson(scan.value);
  if (!plain.ok) refuse(`The weights' header: ${plain.message}`);
  return plain.value as JsonObject;
}

function requireMetadata(value: Json): void {
  if (
    !isObject(value) ||
    Object.values(value).some((item) => typeof item !== "string")
  ) refuse(`The weights' header has "__metadata__" that isn't texts by name`);
}

function storedTensor(
  name: string,
  entry: Json,
  dataStart: number,
  fileBytes: number,
): StoredTensor {
  const title = `The weights' tensor ${shown(name)}`;
  if (
    !isObject(entry) ||
    Object.keys(entry).sort().join() !== "data_offsets,dtype,shape"
  ) {
    refuse(`${title} isn't described by dtype, shape and data_offsets alone`);
  }
  const { dtype, shape, data_offsets: offsets } = entry;
  const elementBytes = typeof dtype === "string"
    ? ELEMENT_BYTES.get(dtype)
    : undefined;
  if (elementBytes === undefined || typeof dtype !== "string") {
    refuse(`${title} has an unknown dtype`);
  }
  if (!isSizes(shape)) refuse(`${title} has a shape that isn't whole numbers`);
  if (!isSizes(offsets) || offsets.length !== 2) {
    refuse(`${title} has data_offsets that aren't two whole numbers`);
  }
  const [begin, end] = offsets as [number, number];
  if (begin > end) refuse(`${title} ends before it begins`);
  if (dataStart + end > fileBytes) refuse(`${title} lies outside of the file`);
  const needed = bytesOf(shape, elementBytes);
  if (needed !== end - begin) {
    const size = Number.isSafeInteger(needed) ? needed : "more than a file has";
    refuse(
      `${title} takes ${
        end - begin
      } bytes where its shape and dtype need ${size}`,
    );
  }
  return { dtype, shape, offset: dataStart + begin, length: end - begin };
}

/** In bytes; over 2^53 it is near enough, as no file is that large. */
function bytesOf(shape: readonly number[], elementBytes: number): number {
  // Infinity times zero is no number.
  if (shape.includes(0)) return 0;
  return shape.reduce((product, size) => product * size, elementBytes);
}

function requireFilled(
  tensors: readonly [string, StoredTensor][],
  dataStart: number,
  fileBytes: number,
): void {
  let filled = dataStart;
  for (const [name, { offset, length }] of tensors) {
    if (offset < filled) {
      refuse(`The weights' tensor ${shown(name)} overlaps another one`);
    }
    if (offset > filled) {
      refuse(
        `The weights have ${offset - filled} bytes before the tensor ${
          shown(name)
        } that belong to none`,
      );
    }
    filled = offset + length;
  }
  if (filled !== fileBytes) {
    refuse(
      `The weights have ${
        fileBytes - filled
      } bytes after the last tensor that belong to none`,
    );
  }
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isSizes(value: Json | undefined): value is readonly number[] {
  return Array.isArray(value) &&
    value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
