// The header of a safetensors file a second time, over big integers.

import { judgeJson, losesNumber } from "./judge_json.ts";

/** A tensor, as the second reader sees it. */
export type JudgedTensor = readonly [
  name: string,
  dtype: string,
  shape: readonly number[],
  offset: bigint,
  length: bigint,
];

const BYTES: ReadonlyMap<unknown, bigint> = new Map([
  ..."BOOL U8 I8 F8_E4M3 F8_E5M2".split(" ").map((one) => [one, 1n] as const),
  ..."I16 U16 F16 BF16".split(" ").map((one) => [one, 2n] as const),
  ..."I32 U32 F32".split(" ").map((one) => [one, 4n] as const),
  ..."I64 U64 F64".split(" ").map((one) => [one, 8n] as const),
]);

/**
 * Reads the header of a file of `fileBytes` bytes, of which the first are here.
 *
 * @returns The tensors, sorted by name; null where it isn't a header, or its
 *   tensors don't fill the file exactly.
 */
export function judgeSafetensors(
  fileBytes: number,
  head: Uint8Array,
): readonly JudgedTensor[] | null {
  if (fileBytes < 8) return null;
  const size = new DataView(head.buffer, head.byteOffset).getBigUint64(0, true);
  if (size > 1_048_576n || 8n + size > BigInt(fileBytes)) return null;
  const text = head.subarray(8, 8 + Number(size));
  if (text[0] !== 0x7b) return null;
  const json = judgeJson(text, 4);
  if (!json.ok || losesNumber(text)) return null;
  const start = 8n + size;
  const tensors: JudgedTensor[] = [];
  for (const [name, entry] of Object.entries(json.value as object)) {
    if (name === "__metadata__") {
      if (!isRecord(entry)) return null;
      if (Object.values(entry).some((one) => typeof one !== "string")) {
        return null;
      }
      continue;
    }
    const tensor = judgeEntry(name, entry, start);
    if (tensor === null) return null;
    tensors.push(tensor);
  }
  return fills(tensors, start, BigInt(fileBytes)) ? tensors.sort(byName) : null;
}

function judgeEntry(
  name: string,
  entry: unknown,
  start: bigint,
): JudgedTensor | null {
  if (!isRecord(entry) || Object.keys(entry).length !== 3) return null;
  const { dtype, shape, data_offsets: offsets } = entry;
  const bytes = BYTES.get(dtype);
  if (bytes === undefined || !isSizes(shape) || !isSizes(offsets)) return null;
  const [begin, end, ...more] = offsets;
  if (begin === undefined || end === undefined || more.length > 0) return null;
  const length = shape.reduce((product, one) => product * BigInt(one), bytes);
  if (length !== BigInt(end) - BigInt(begin)) return null;
  return [name, String(dtype), shape, start + BigInt(begin), length];
}

/** Every byte from the start to the end belongs to one tensor. */
function fills(
  tensors: readonly JudgedTensor[],
  start: bigint,
  end: bigint,
): boolean {
  let filled = start;
  const order = [...tensors].sort((a, b) =>
    a[3] === b[3] ? Number(a[4] - b[4]) : a[3] < b[3] ? -1 : 1
  );
  for (const [, , , offset, length] of order) {
    if (offset !== filled) return false;
    filled += length;
  }
  return filled === end;
}

function byName([a]: JudgedTensor, [b]: JudgedTensor): number {
  return a < b ? -1 : 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) &&
    value.every((one) => Number.isSafeInteger(one) && one >= 0);
}
