// Lab Part 4, tree limits, checked iteratively before anything recurses over
// the tree. The count is CPython's `ast.walk` over the expression, so that a
// learner can check it with three lines of Python. Depth counts expression
// nodes alone: operators, contexts, keywords, parameters and comprehension
// clauses stand on no level of their own.

import { MAX_DEPTH, MAX_NODES } from "./limits.ts";
import { Refusal } from "./refusal.ts";
import type { PythonExpression } from "./syntax_tree.ts";

/** How big a tree is. */
export interface TreeSize {
  /** Nodes as `ast.walk` yields them; parentheses are none. */
  readonly nodes: number;
  /** Expression nodes on the longest way down; the root alone is 1. */
  readonly depth: number;
}

/**
 * Measures a tree of any shape, without recursion.
 *
 * @throws {Refusal} `expression_limit` over {@link MAX_NODES} or
 *   {@link MAX_DEPTH}; a tree over both is refused for its nodes.
 */
export function measureTree(root: PythonExpression): TreeSize {
  let nodes = 0;
  let deepest = root;
  let depth = 0;
  const pending: PythonExpression[] = [root];
  const depths: number[] = [1];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const ownDepth = depths.pop()!;
    if (ownDepth > depth) {
      depth = ownDepth;
      deepest = node;
    }
    nodes += ownNodes(node);
    for (const child of children(node)) {
      pending.push(child);
      depths.push(ownDepth + 1);
    }
  }
  if (nodes > MAX_NODES) {
    throw new Refusal(
      "expression_limit",
      `The expression has ${nodes} AST nodes; at most ${MAX_NODES} are allowed`,
    );
  }
  if (depth > MAX_DEPTH) {
    throw new Refusal(
      "expression_limit",
      `The expression tree is ${depth} deep; at most ${MAX_DEPTH} is allowed`,
      deepest.offset,
    );
  }
  return { nodes, depth };
}

/** A name has a context and an operation has an operator, each one node. */
function ownNodes(node: PythonExpression): number {
  switch (node.kind) {
    case "constant":
    case "conditional":
      return 1;
    case "name":
    case "unary":
    case "binary":
    case "comparison":
      return 2;
    case "foreign":
      return node.ownNodes;
  }
}

function children(node: PythonExpression): readonly PythonExpression[] {
  switch (node.kind) {
    case "constant":
    case "name":
      return [];
    case "unary":
      return [node.operand];
    case "binary":
    case "comparison":
      return [node.left, node.right];
    case "conditional":
      return [node.condition, node.body, node.otherwise];
    case "foreign":
      return node.children;
  }
}
