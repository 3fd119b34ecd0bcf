// Protocol Buffers, as far as an ONNX model needs them: varints, 32-bit floats
// and length-delimited fields. The same calls give the same bytes.

const VARINT = 0;
const DELIMITED = 2;
const FIXED32 = 5;

/** Builds one message, field by field, in the order of the calls. */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** An integer, of any of the signed and unsigned varint types. */
  int(field: number, value: number | bigint): this {
    this.#tag(field, VARINT);
    this.#varint(BigInt(value));
    return this;
  }

  /** A 32-bit float. */
  float(field: number, value: number): this {
    this.#tag(field, FIXED32);
    this.#reserve(4);
    new DataView(this.#bytes.buffer).setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  /** Bytes. */
  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, DELIMITED);
    this.#varint(BigInt(value.length));
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** A text, as UTF-8. */
  text(field: number, value: string): this {
    return this.bytes(field, UTF8.encode(value));
  }

  /** Another message, as it is now. */
  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  /** The message's bytes so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(BigInt(field << 3 | wireType));
  }

  #varint(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    this.#reserve(10);
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

const UTF8 = new TextEncoder();
