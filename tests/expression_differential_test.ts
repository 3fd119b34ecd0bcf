// The expression boundary against CPython's own parser: a second writing of the
// lab's rules over Python's `ast` judges the same expressions, and every answer
// must agree: admitted or not, the code and the place of the first fault, node
// count, depth, and value or limit.
//
// EXPRESSION_COUNT=1000000 asks for that many instead of 20,000.

import assert from "node:assert/strict";
import { admitExpression } from "../lib/lab/expression/admit_expression.ts";
import { evaluateExpression } from "../lib/lab/expression/evaluate_expression.ts";
import { FUNCTION_PARAMETERS } from "../lib/lab/expression/function_names.ts";
import { lexExpression } from "../lib/lab/expression/lexer.ts";
import {
  measureTree,
  type TreeSize,
} from "../lib/lab/expression/measure_tree.ts";
import { parseExpression } from "../lib/lab/expression/parser.ts";
import { type ExpressionCode, Refusal } from "../lib/lab/expression/refusal.ts";
import { askQuestion, type Question, Random } from "./expression_generator.ts";

const REFERENCE = new URL("expression_reference.py", import.meta.url).pathname;
const BATCH = 50_000;

Deno.test("admitExpression() and evaluateExpression() agree with a reference over CPython's ast", async () => {
  const count = Number(Deno.env.get("EXPRESSION_COUNT") ?? 20_000);
  assert.ok(Number.isSafeInteger(count) && count > 0, "EXPRESSION_COUNT");
  const random = new Random(16);
  const seen = new Map<string, number>();
  for (let done = 0; done < count; done += BATCH) {
    const questions = Array.from(
      { length: Math.min(BATCH, count - done) },
      () => askQuestion(random),
    );
    const expected = await askReference(questions);
    assert.equal(expected.length, questions.length);
    questions.forEach((asked, index) => {
      const found = comparable(ask(asked), expected[index]!);
      assert.deepEqual(found, expected[index], JSON.stringify(asked));
      const kind = String(found.code ?? found.error ?? "value");
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    });
  }
  // A generator that never reaches a rule would prove nothing about it.
  for (const kind of KINDS) {
    const enough = (seen.get(kind) ?? 0) >= count / 1_000;
    assert.ok(enough, `${kind}: ${seen.get(kind) ?? 0} of ${count}`);
  }
});

/**
 * Every way in which an expression can end; an admitted one is too small for
 * `visit_limit`.
 */
const KINDS = [
  "value",
  "magnitude_limit",
  "expression_bounds",
  "expression_syntax",
  "expression_limit",
  "expression_forbidden_node",
  "unknown_name",
  "expression_type",
];

type Answer = Record<string, unknown>;

function ask([functionName, text, inputs]: Question): Answer {
  const admission = admitExpression(functionName, text);
  if (!admission.ok) return { ...admission, ...measured(admission.code, text) };
  const { root, nodes, depth } = admission.expression;
  const parameters = FUNCTION_PARAMETERS[functionName];
  const { ok: _, ...result } = evaluateExpression(root, parameters, inputs);
  return { ok: true, nodes, depth, ...result };
}

/** The size of what is refused, where it is refused for something else. */
function measured(code: ExpressionCode, text: string): Partial<TreeSize> {
  if (code === "expression_bounds") return {};
  try {
    return measureTree(parseExpression(lexExpression(text)));
  } catch (thrown) {
    if (thrown instanceof Refusal) return {};
    throw thrown;
  }
}

/** Leaves out what the reference doesn't tell: messages, some places. */
function comparable(found: Answer, expected: Answer): Answer {
  const { message: _, offset, ...rest } = found;
  return expected.offset === undefined ? rest : { ...rest, offset };
}

async function askReference(
  questions: readonly Question[],
): Promise<readonly Answer[]> {
  const folder = await Deno.makeTempDir();
  try {
    const asked = `${folder}/questions`;
    const answered = `${folder}/answers`;
    const lines = questions.map((question) => JSON.stringify(question));
    await Deno.writeTextFile(asked, `${lines.join("\n")}\n`);
    const { success, stderr } = await runPython([REFERENCE, asked, answered]);
    assert.ok(success, `The reference failed: ${stderr}`);
    const answers = (await Deno.readTextFile(answered)).trimEnd().split("\n");
    return answers.map((line) => JSON.parse(line));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runPython(
  args: readonly string[],
): Promise<{ success: boolean; stderr: string }> {
  try {
    const python = new Deno.Command("python3", { args: [...args] });
    const { success, stderr } = await python.output();
    return { success, stderr: new TextDecoder().decode(stderr) };
  } catch (error) {
    throw new Error(
      'Cannot run "python3": this test compares with CPython. ' +
        "Install Python 3.12 or newer.",
      { cause: error },
    );
  }
}
