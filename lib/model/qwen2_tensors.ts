// What a Qwen2 checkpoint with tied embeddings consists of: these tensors, in
// BF16, and no other. A head of its own (`lm_head.weight`) is an extra tensor.

import type { ModelConfig } from "./model_config.ts";
import { refuse, shown } from "./model_refusal.ts";
import type { StoredTensor } from "./safetensors_header.ts";

/** Where a network's weights lie in the file, by tensor name. */
export type WeightMap = ReadonlyMap<string, StoredTensor>;

/** Names and shapes, embeddings first, then layer by layer. */
export function qwen2Tensors(
  config: ModelConfig,
): readonly (readonly [name: string, shape: readonly number[]])[] {
  const { hiddenSize: hidden, intermediateSize: wide, headSize } = config;
  const queries = config.attentionHeads * headSize;
  const keys = config.keyValueHeads * headSize;
  const layer = (index: number): [string, number[]][] => {
    const prefix = `model.layers.${index}.`;
    return [
      [`${prefix}input_layernorm.weight`, [hidden]],
      [`${prefix}mlp.down_proj.weight`, [hidden, wide]],
      [`${prefix}mlp.gate_proj.weight`, [wide, hidden]],
      [`${prefix}mlp.up_proj.weight`, [wide, hidden]],
      [`${prefix}post_attention_layernorm.weight`, [hidden]],
      [`${prefix}self_attn.k_proj.bias`, [keys]],
      [`${prefix}self_attn.k_proj.weight`, [keys, hidden]],
      [`${prefix}self_attn.o_proj.weight`, [hidden, queries]],
      [`${prefix}self_attn.q_proj.bias`, [queries]],
      [`${prefix}self_attn.q_proj.weight`, [queries, hidden]],
      [`${prefix}self_attn.v_proj.bias`, [keys]],
      [`${prefix}self_attn.v_proj.weight`, [keys, hidden]],
    ];
  };
  return [
    ["model.embed_tokens.weight", [config.vocabSize, hidden]],
    ...Array.from({ length: config.layers }, (_, index) => layer(index)).flat(),
    ["model.norm.weight", [hidden]],
  ];
}

/**
 * Checks that the file holds exactly the network's tensors.
 *
 * @throws {ModelRefusal} At the first one that is missing, extra, or of another
 * dtype or shape.
 */
export function requireQwen2Tensors(
  config: ModelConfig,
  stored: WeightMap,
): void {
  const expected = new Map(qwen2Tensors(config));
  for (const [name, shape] of expected) {
    const tensor = stored.get(name);
    if (tensor === undefined) refuse(`The weights lack the tensor "${name}"`);
    if (tensor.dtype !== "BF16") {
      refuse(
        `The weights' tensor "${name}" is ${tensor.dtype}: BF16 is needed`,
      );
    }
    if (tensor.shape.join() !== shape.join()) {
      refuse(
        `The weights' tensor "${name}" has shape ${shapeText(tensor.shape)}: ${
          shapeText(shape)
        } is needed`,
      );
    }
  }
  if (stored.has("lm_head.weight")) {
    refuse(
      `The weights have a head of their own ("lm_head.weight"): this program runs tied embeddings only`,
    );
  }
  for (const name of stored.keys()) {
    if (!expected.has(name)) {
      refuse(
        `The weights have the tensor ${
          shown(name)
        }, which the network doesn't use`,
      );
    }
  }
}

/** A shape as it is shown; one that comes from outside can have any length. */
function shapeText(shape: readonly number[]): string {
  return `[${shape.slice(0, 8)}${shape.length > 8 ? ",…" : ""}]`;
}
