// What goes into the network's graph and comes out of it, by name.
//
// Letters in shapes, here and where the graph is built: S tokens of this call,
// P tokens before it, T = P + S, H hidden size, N attention heads, K key-value
// heads, D head size.

/** Names of the graph's inputs and outputs. */
export const GraphValue = {
  /** Token ids, [S]. */
  inputIds: "input_ids",
  /** Their positions from the start, [S]. */
  positions: "positions",
  /** From the how-manieth last position on logits are wanted, [1]. */
  keep: "keep",
  /** Logits of the kept positions, [kept, vocabulary]. */
  logits: "logits",
  /** Keys or values of one head before this call, [P, D]. */
  past: (kind: KeyOrValue, layer: number, head: number): string =>
    `past.${kind}.${layer}.${head}`,
  /** Keys or values that this call adds, [K, S, D]. */
  added: (kind: KeyOrValue, layer: number): string => `added.${kind}.${layer}`,
} as const;

/** The two things that attention remembers of a token. */
export type KeyOrValue = "key" | "value";

/** A `keep` with which no logits at all are computed. */
export const KEEP_NONE = -(2 ** 40);
