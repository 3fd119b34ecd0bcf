// Changes that need no knowledge of the language: bits, bytes, cuts, copies,
// splices with another input, words and numbers that parsers stumble over.

import type { Random } from "../../tests/expression_generator.ts";
import { bytesOf } from "./fuzz_target.ts";

/** What mutation draws from beside the input. */
export interface MutationStock {
  /** Words of the language. */
  readonly words: readonly string[];
  /** Another input, to splice with. */
  readonly other: Uint8Array;
}

/** An input with one to eight changes, mostly few. */
export function mutateBytes(
  input: Uint8Array,
  random: Random,
  stock: MutationStock,
): Uint8Array {
  let bytes = input;
  const changes = random.pick([1, 1, 1, 2, 2, 3, 4, 8]);
  for (let change = 0; change < changes; change++) {
    bytes = random.pick(CHANGES)(bytes, random, stock);
  }
  return bytes;
}

type Change = (
  bytes: Uint8Array,
  random: Random,
  stock: MutationStock,
) => Uint8Array;

const flipBit: Change = (bytes, random) => {
  if (bytes.length === 0) return bytes;
  const at = random.below(bytes.length);
  return bytes.with(at, bytes[at]! ^ (1 << random.below(8)));
};

const setByte: Change = (bytes, random) =>
  bytes.length === 0
    ? bytes
    : bytes.with(random.below(bytes.length), someByte(random));

const insertByte: Change = (bytes, random) => {
  const at = random.below(bytes.length + 1);
  return replaced(bytes, at, at, Uint8Array.of(someByte(random)));
};

const insertWord: Change = (bytes, random, { words }) => {
  const at = random.below(bytes.length + 1);
  const to = random.chance(50) ? at : at + random.below(8);
  return replaced(bytes, at, to, bytesOf(random.pick(words)));
};

const cut: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  return replaced(bytes, from, to, new Uint8Array());
};

const repeat: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const piece = bytes.subarray(from, to);
  let copies = piece;
  for (let doubling = random.pick([0, 0, 0, 1, 2, 4, 6]); doubling > 0;) {
    if (copies.length > 4_096) break;
    copies = joined(copies, copies);
    doubling--;
  }
  return replaced(bytes, to, to, copies);
};

const move: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const piece = bytes.slice(from, to);
  const rest = replaced(bytes, from, to, new Uint8Array());
  const at = random.below(rest.length + 1);
  return replaced(rest, at, at, piece);
};

const splice: Change = (bytes, random, { other }) => {
  const [from, to] = range(other, random);
  const [start, end] = range(bytes, random);
  return replaced(bytes, start, end, other.subarray(from, to));
};

/** Two halves of two inputs. */
const cross: Change = (bytes, random, { other }) =>
  joined(
    bytes.subarray(0, random.below(bytes.length + 1)),
    other.subarray(random.below(other.length + 1)),
  );

/** A number among the text replaced by one at an edge of some range. */
const changeNumber: Change = (bytes, random) => {
  const at = bytes.findIndex((byte, index) =>
    isDigit(byte) && (random.chance(20) || !hasDigit(bytes, index + 1))
  );
  if (at === -1) return bytes;
  let end = at;
  while (isDigit(bytes[end])) end++;
  return replaced(bytes, at, end, bytesOf(random.pick(NUMBERS)));
};

const CHANGES: readonly Change[] = [
  flipBit,
  setByte,
  insertByte,
  insertWord,
  insertWord,
  cut,
  cut,
  repeat,
  move,
  splice,
  cross,
  changeNumber,
  changeNumber,
];

/** Numbers at the edges of what programs hold numbers in. */
export const NUMBERS: readonly string[] = [
  ..."0 1 2 6 7 8 9 15 16 17 127 128 255 256 257 65535 65536".split(" "),
  ..."999999 1000000 1000001 2147483647 2147483648 4294967295".split(" "),
  ..."4294967296 9007199254740991 9007199254740992 9007199254740993".split(" "),
  ..."9223372036854775807 9223372036854775808 18446744073709551615".split(" "),
  ..."18446744073709551616 1e308 1e309 1e-400 0.1 1.0 1e0 -0 -1 00".split(" "),
];

function someByte(random: Random): number {
  return random.chance(50)
    ? random.below(256)
    : random.pick([0, 0x0a, 0x0d, 0x1b, 0x20, 0x22, 0x5c, 0x7f, 0xc3, 0xff]);
}

function range(bytes: Uint8Array, random: Random): [number, number] {
  const from = random.below(bytes.length + 1);
  const most = bytes.length - from;
  const length = random.below(1 + Math.min(most, random.pick([1, 4, 16, 256])));
  return [from, from + length];
}

function replaced(
  bytes: Uint8Array,
  from: number,
  to: number,
  piece: Uint8Array,
): Uint8Array {
  const end = Math.min(to, bytes.length);
  const made = new Uint8Array(from + piece.length + bytes.length - end);
  made.set(bytes.subarray(0, from));
  made.set(piece, from);
  made.set(bytes.subarray(end), from + piece.length);
  return made;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return replaced(a, a.length, a.length, b);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function hasDigit(bytes: Uint8Array, from: number): boolean {
  return bytes.subarray(from).some(isDigit);
}
