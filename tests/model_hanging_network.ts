// What tasks/hang_trials.ts puts in lib/model/network.ts's place: a session of
// ONNX Runtime that never comes back. The name of the model folder says where.

import type { InferenceSession } from "onnxruntime-node";
import type {
  Network,
  openNetwork as openRealNetwork,
} from "../lib/model/network.ts";
import { ProtobufWriter } from "../lib/model/protobuf_writer.ts";
import type { OnnxRuntime } from "../lib/model/runtime.ts";
import { networkThatSays } from "./model_stand_in_network.ts";

/** Where a network hangs; a model folder `hang-load` hangs in load. */
export const HANGING_STAGES = ["load", "prefill", "decode"] as const;

/** A plain token of the tiny checkpoint: generation goes on after it. */
const PLAIN_TOKEN = 50;

/** Opens a network that blocks its thread where its folder's name says. */
export async function openNetwork(
  ...given: Parameters<typeof openRealNetwork>
): Promise<Network> {
  const [onnx, , folder] = given;
  const stage = HANGING_STAGES.find((stage) =>
    folder.endsWith(`/hang-${stage}`)
  );
  if (stage === "load") waitForEver();
  const session = await onnx.InferenceSession.create(endlessGraph());
  const network = await networkThatSays(PLAIN_TOKEN)(...given);
  let answered = false;
  return {
    ...network,
    forward: async (ids, cache, logits) => {
      if (stage === "prefill" || answered) await computeForEver(onnx, session);
      answered = logits > 0;
      return await network.forward(ids, cache, logits);
    },
  };
}

/** A thread that waits, as for a disk that doesn't answer. */
function waitForEver(): never {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("Woken up");
}

/** A thread in native code that computes, and can't be interrupted. */
async function computeForEver(
  { Tensor }: OnnxRuntime,
  session: InferenceSession,
): Promise<void> {
  await session.run({
    go: new Tensor("bool", [true], []),
    value: new Tensor("float32", [1], []),
  });
}

const FLOAT = 1;
const INTEGER = 7;
const BOOLEAN = 9;
/** ONNX's number of an attribute that is a graph. */
const GRAPH = 5;

/** One `Loop` without a count, which goes on for as long as `go` is true. */
function endlessGraph(): Uint8Array {
  const body = new ProtobufWriter()
    .message(1, operator("Identity", ["go_on"], "still"))
    .message(1, operator("Cos", ["before"], "after"))
    .text(2, "body")
    .message(11, scalar("round", INTEGER))
    .message(11, scalar("go_on", BOOLEAN))
    .message(11, scalar("before", FLOAT))
    .message(12, scalar("still", BOOLEAN))
    .message(12, scalar("after", FLOAT));
  const loop = operator("Loop", ["", "go", "value"], "end").message(
    5,
    new ProtobufWriter().text(1, "body").message(6, body).int(20, GRAPH),
  );
  const graph = new ProtobufWriter()
    .message(1, loop)
    .text(2, "endless")
    .message(11, scalar("go", BOOLEAN))
    .message(11, scalar("value", FLOAT))
    .message(12, scalar("end", FLOAT));
  return new ProtobufWriter()
    .int(1, 10)
    .message(7, graph)
    .message(8, new ProtobufWriter().text(1, "").int(2, 18))
    .finish();
}

function operator(
  name: string,
  inputs: readonly string[],
  output: string,
): ProtobufWriter {
  const node = new ProtobufWriter();
  for (const input of inputs) node.text(1, input);
  return node.text(2, output).text(4, name);
}

function scalar(name: string, type: number): ProtobufWriter {
  const tensor = new ProtobufWriter().int(1, type)
    .message(2, new ProtobufWriter());
  return new ProtobufWriter().text(1, name)
    .message(2, new ProtobufWriter().message(1, tensor));
}
