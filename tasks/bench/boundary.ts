// deno-lint-ignore-file no-console -- a task speaks on the console
// What the boundary costs: expressions and proposals, in this process and as
// whole streams.

import { ACTION_SCHEMA } from "../../lib/lab/contract/action_schema.ts";
import { admitProposal } from "../../lib/lab/contract/admit_proposal.ts";
import { admitExpression } from "../../lib/lab/expression/admit_expression.ts";
import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { median, ms, ratio, row, spread, thousands } from "./figures.ts";

/** Where the lines are kept, and what is timed with them. */
export interface ExpressionBench {
  /** A fresh folder's real path. */
  readonly folder: string;
  /** Milliseconds of `tinycoder check` over a file's lines. */
  readonly ours: (lines: string) => Promise<number>;
  /** Milliseconds of Python over the same file. */
  readonly theirs: (lines: string) => Promise<number>;
}

/** Reads the same lines and only parses: no rule of the lab is applied. */
export const PYTHON_AST = `
import ast, json, sys
for line in sys.stdin:
    try:
        tree = ast.parse(json.loads(line)["expr"], mode="eval")
        nodes = sum(1 for _ in ast.walk(tree.body))
        print(json.dumps({"ok": True, "nodes": nodes}))
    except SyntaxError:
        print(json.dumps({"ok": False}))
`;

/** Measures admissions a second, and whole streams against Python; prints. */
export async function expressions(
  { folder, ours: timeOurs, theirs: timeTheirs }: ExpressionBench,
): Promise<void> {
  const texts = [
    "lo if x < lo else hi if x > hi else x",
    "(x + lo) * 2 - hi",
    "x if x >= lo else lo",
    "max(x, lo)",
    "x ** 2",
    "hi if x == 3 else -x",
  ];
  const perSecond = rate((i) => {
    admitExpression("clamp", texts[i % texts.length] ?? "");
  });
  const lines = Array.from(
    { length: 50_000 },
    (_, i) =>
      JSON.stringify({ function: "clamp", expr: texts[i % texts.length] }),
  );
  await Deno.writeTextFile(`${folder}/lines`, `${lines.join("\n")}\n`);
  const ours: number[] = [];
  const pythons: number[] = [];
  for (let round = 0; round < 3; round++) {
    ours.push(await timeOurs(`${folder}/lines`));
    pythons.push(await timeTheirs(`${folder}/lines`));
  }
  console.log("\nExpressions");
  row("admitted in this process", `${thousands(perSecond)}/s`, "");
  row("50,000 lines, tinycoder check", ms(median(ours)), spread(ours));
  row(
    "50,000 lines, Python's ast alone",
    ms(median(pythons)),
    ratio(ours, pythons),
  );
}

/** Measures the boundary against JSON.parse and the same zod union; prints. */
export function proposals(): void {
  const encoder = new TextEncoder();
  const bytes = baseline.map((text) => encoder.encode(text));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const ours: number[] = [];
  const naive: number[] = [];
  for (let round = 0; round < 5; round++) {
    ours.push(rate((i) => {
      admitProposal(bytes[i % bytes.length] ?? new Uint8Array());
    }));
    naive.push(rate((i) => {
      const text = decoder.decode(bytes[i % bytes.length]);
      ACTION_SCHEMA.safeParse(JSON.parse(text));
    }));
  }
  console.log("\nProposals");
  row("validated in this process", `${thousands(median(ours))}/s`, "");
  row(
    "JSON.parse and zod alone",
    `${thousands(median(naive))}/s`,
    ratio(ours, naive),
  );
}

/** Calls a second, over half a second. */
function rate(call: (i: number) => void): number {
  for (let i = 0; i < 2_000; i++) call(i);
  const before = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < 500) {
    for (let i = 0; i < 1_000; i++) call(i);
    calls += 1_000;
    elapsed = performance.now() - before;
  }
  return calls / elapsed * 1_000;
}
