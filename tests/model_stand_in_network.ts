// What takes the place of a session of ONNX Runtime where a test needs to know
// what the network will want.

import type { openNetwork } from "../lib/model/network.ts";

/**
 * In a session's place: a network that wants one token, whatever it is asked.
 *
 * @param before Called with the tokens of each call before it is answered.
 */
export function networkThatSays(
  id: number,
  before: (ids: readonly number[], logits: number) => void = () => {},
): typeof openNetwork {
  return (_onnx, _graph, _folder, config) => {
    const { vocabSize, keyValueHeads, headSize } = config;
    return Promise.resolve({
      config,
      forward: (ids, cache, logits) => {
        before(ids, logits);
        cache.append(
          ids.length,
          () => new Float32Array(ids.length * keyValueHeads * headSize),
        );
        const values = new Float32Array(logits * vocabSize);
        if (logits > 0) values[(logits - 1) * vocabSize + id] = 1;
        return Promise.resolve(values);
      },
      release: () => Promise.resolve(),
    });
  };
}
