// An ONNX model, built in memory. Field numbers are those of onnx.proto
// (ModelProto, GraphProto, NodeProto, TensorProto, ValueInfoProto).

import { ProtobufWriter } from "./protobuf_writer.ts";

/** ONNX's numbers of element types. */
export const ElementType = { float32: 1, int64: 7, bfloat16: 16 } as const;

type ElementType = typeof ElementType[keyof typeof ElementType];

/** Name of a value that flows through the graph. */
export type Value = string;

/** Attributes by name: an integer, or a list of integers. */
export type Attributes = Readonly<Record<string, number | readonly number[]>>;

/** Version of the operator set that graphs are written in. */
export const OPERATOR_SET = 18;

/** Version of ONNX's file format that goes with it. */
const IR_VERSION = 10;

const INT_ATTRIBUTE = 2;
const INTS_ATTRIBUTE = 7;
const EXTERNAL = 1;

/** Builds a graph, operator by operator. */
export class OnnxGraph {
  readonly #nodes: ProtobufWriter[] = [];
  readonly #initializers = new Map<string, ProtobufWriter>();
  readonly #inputs: ProtobufWriter[] = [];
  readonly #outputs: ProtobufWriter[] = [];
  #count = 0;

  /** Declares an input; a text in `shape` names an axis of any length. */
  input(
    name: Value,
    type: ElementType,
    shape: readonly (number | string)[],
  ): Value {
    this.#inputs.push(valueInfo(name, type, shape));
    return name;
  }

  /** Declares that a value, so named by its operator, is an output. */
  output(
    name: Value,
    type: ElementType,
    shape: readonly (number | string)[],
  ): void {
    this.#outputs.push(valueInfo(name, type, shape));
  }

  /** Adds an operator with one result. */
  apply(
    operator: string,
    inputs: readonly Value[],
    attributes: Attributes = {},
    name?: string,
  ): Value {
    return this.split(operator, inputs, attributes, 1, name)[0]!;
  }

  /** Adds an operator with several results. */
  split(
    operator: string,
    inputs: readonly Value[],
    attributes: Attributes,
    results: number,
    name: string = `${operator}_${this.#count++}`,
  ): Value[] {
    const node = new ProtobufWriter();
    for (const input of inputs) node.text(1, input);
    const outputs = results === 1
      ? [name]
      : Array.from({ length: results }, (_, index) => `${name}_${index}`);
    for (const output of outputs) node.text(2, output);
    node.text(3, name).text(4, operator);
    for (const key of Object.keys(attributes).sort()) {
      node.message(5, attribute(key, attributes[key]!));
    }
    this.#nodes.push(node);
    return outputs;
  }

  /** A constant vector of integers. */
  ints(...values: number[]): Value {
    const data = BigInt64Array.from(values, BigInt);
    return this.#constant(`ints_${values.join("_")}`, ElementType.int64, [
      values.length,
    ], data);
  }

  /** A constant integer. */
  int(value: number): Value {
    return this.#constant(
      `int_${value}`,
      ElementType.int64,
      [],
      BigInt64Array.of(BigInt(value)),
    );
  }

  /** A constant 32-bit float. */
  float(value: number): Value {
    return this.#constant(
      `float_${value}`,
      ElementType.float32,
      [],
      Float32Array.of(value),
    );
  }

  /** A constant vector of 32-bit floats, under a name of its own. */
  floats(name: string, values: Float32Array): Value {
    return this.#constant(name, ElementType.float32, [values.length], values);
  }

  /** A constant whose bytes lie in another file; all places in bytes. */
  external(
    name: string,
    type: ElementType,
    shape: readonly number[],
    place: {
      readonly file: string;
      readonly offset: number;
      readonly length: number;
    },
  ): Value {
    if (!this.#initializers.has(name)) {
      const tensor = new ProtobufWriter();
      for (const size of shape) tensor.int(1, size);
      tensor.int(2, type).text(8, name);
      for (
        const [key, value] of [
          ["location", place.file],
          ["offset", `${place.offset}`],
          ["length", `${place.length}`],
        ] as const
      ) tensor.message(13, new ProtobufWriter().text(1, key).text(2, value));
      this.#initializers.set(name, tensor.int(14, EXTERNAL));
    }
    return name;
  }

  /** The model's bytes. */
  model(name: string): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, name);
    for (const tensor of this.#initializers.values()) graph.message(5, tensor);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    return new ProtobufWriter()
      .int(1, IR_VERSION)
      .text(2, "tinycoder")
      .message(7, graph)
      .message(8, new ProtobufWriter().text(1, "").int(2, OPERATOR_SET))
      .finish();
  }

  #constant(
    name: string,
    type: ElementType,
    shape: readonly number[],
    data: BigInt64Array | Float32Array,
  ): Value {
    if (!this.#initializers.has(name)) {
      const tensor = new ProtobufWriter();
      for (const size of shape) tensor.int(1, size);
      this.#initializers.set(
        name,
        tensor.int(2, type).text(8, name).bytes(
          9,
          new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
        ),
      );
    }
    return name;
  }
}

function attribute(
  key: string,
  value: number | readonly number[],
): ProtobufWriter {
  const written = new ProtobufWriter().text(1, key);
  if (typeof value === "number") {
    return written.int(3, value).int(20, INT_ATTRIBUTE);
  }
  for (const item of value) written.int(8, item);
  return written.int(20, INTS_ATTRIBUTE);
}

function valueInfo(
  name: Value,
  type: ElementType,
  shape: readonly (number | string)[],
): ProtobufWriter {
  const axes = new ProtobufWriter();
  for (const axis of shape) {
    axes.message(
      1,
      typeof axis === "number"
        ? new ProtobufWriter().int(1, axis)
        : new ProtobufWriter().text(2, axis),
    );
  }
  const tensor = new ProtobufWriter().int(1, type).message(2, axes);
  return new ProtobufWriter().text(1, name).message(
    2,
    new ProtobufWriter().message(1, tensor),
  );
}
