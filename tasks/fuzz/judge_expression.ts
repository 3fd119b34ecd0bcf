// What lab Part 4 allows, a second time: only allowed expressions are read, by
// a regular expression for tokens and a descent without any tree, and computed
// with big integers on the way. Why something is refused isn't told.

/** What an allowed expression comes to; null for whatever isn't allowed. */
export interface ExpressionJudgement {
  /** CPython's `ast.walk` count. */
  readonly nodes: number;
  readonly depth: number;
  /** The value for some inputs, or the limit that was hit. */
  readonly evaluate: (inputs: readonly number[]) => number | "magnitude_limit";
}

/** Judges a text as an expression of some parameters. */
export function judgeExpression(
  text: string,
  parameters: readonly string[],
): ExpressionJudgement | null {
  if (!/^[!-~](?:[ -~]{0,254}[!-~])?$/.test(text)) return null;
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join("") !== text.replaceAll(" ", "")) return null;
  // A number that runs into a name is neither.
  if (/[0-9]a/.test(text.replaceAll(/[A-Za-z_][A-Za-z0-9_]*/g, "a"))) {
    return null;
  }
  try {
    const reader = new Descent(tokens, parameters);
    const whole = reader.conditional();
    if (!reader.atEnd() || whole.type !== "int") return null;
    if (whole.nodes > 128 || whole.depth > 16) return null;
    return {
      nodes: whole.nodes,
      depth: whole.depth,
      evaluate: (inputs) => evaluated(whole, parameters, inputs),
    };
  } catch (thrown) {
    if (thrown instanceof NotAllowed) return null;
    throw thrown;
  }
}

const TOKEN = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[<>=!]=|[-+*<>()]/g;

class NotAllowed extends Error {}

type Run = (inputs: ReadonlyMap<string, bigint>) => bigint | boolean;

interface Part {
  readonly type: "int" | "bool";
  readonly nodes: number;
  readonly depth: number;
  readonly run: Run;
}

class TooLarge extends Error {}

function evaluated(
  whole: Part,
  parameters: readonly string[],
  inputs: readonly number[],
): number | "magnitude_limit" {
  try {
    const values = new Map(
      parameters.map((name, index) => [name, bounded(BigInt(inputs[index]!))]),
    );
    return Number(whole.run(values));
  } catch (thrown) {
    if (thrown instanceof TooLarge) return "magnitude_limit";
    throw thrown;
  }
}

function bounded(value: bigint): bigint {
  if (value > 1_000_000n || value < -1_000_000n) throw new TooLarge();
  return value;
}

/** One method a level of Python's precedence, loosest first. */
class Descent {
  #at = 0;
  #open = 0;

  constructor(
    readonly tokens: readonly string[],
    readonly parameters: readonly string[],
  ) {}

  atEnd(): boolean {
    return this.#at === this.tokens.length;
  }

  conditional(): Part {
    const body = this.#comparison();
    if (this.#peek() !== "if") return body;
    this.#at++;
    const condition = this.#comparison();
    if (this.tokens[this.#at++] !== "else") throw new NotAllowed();
    const otherwise = this.conditional();
    need(condition.type === "bool" && body.type === "int");
    need(otherwise.type === "int");
    return node(
      "int",
      1,
      [condition, body, otherwise],
      (inputs) =>
        condition.run(inputs) ? body.run(inputs) : otherwise.run(inputs),
    );
  }

  #comparison(): Part {
    const left = this.#sum();
    const operator = this.#peek() ?? "";
    const compare = COMPARE.get(operator);
    if (compare === undefined) return left;
    this.#at++;
    const right = this.#sum();
    need(COMPARE.get(this.#peek() ?? "") === undefined);
    need(left.type === "int" && right.type === "int");
    return node(
      "bool",
      2,
      [left, right],
      (inputs) =>
        compare(left.run(inputs) as bigint, right.run(inputs) as bigint),
    );
  }

  #sum(): Part {
    return this.#leftToRight(["+", "-"], () => this.#product());
  }

  #product(): Part {
    return this.#leftToRight(["*"], () => this.#sign());
  }

  #leftToRight(operators: readonly string[], operand: () => Part): Part {
    let left = operand();
    for (;;) {
      const operator = this.#peek();
      if (operator === undefined || !operators.includes(operator)) return left;
      this.#at++;
      const [a, b] = [left, operand()];
      need(a.type === "int" && b.type === "int");
      left = node("int", 2, [a, b], (inputs) => {
        const x = a.run(inputs) as bigint;
        const y = b.run(inputs) as bigint;
        return bounded(
          operator === "+" ? x + y : operator === "-" ? x - y : x * y,
        );
      });
    }
  }

  #sign(): Part {
    const sign = this.#peek();
    if (sign !== "-" && sign !== "+") return this.#atom();
    this.#at++;
    const operand = this.#sign();
    need(operand.type === "int");
    return node("int", 2, [operand], (inputs) => {
      const value = operand.run(inputs) as bigint;
      return sign === "-" ? -value : value;
    });
  }

  #atom(): Part {
    const token = this.tokens[this.#at++];
    if (token === "(") {
      need(++this.#open <= 16);
      const inner = this.conditional();
      need(this.tokens[this.#at++] === ")");
      this.#open--;
      return inner;
    }
    if (token !== undefined && /^[0-9]+$/.test(token)) {
      need(/^(?:0{1,7}|[1-9][0-9]{0,6})$/.test(token));
      const value = BigInt(token);
      need(value <= 1_000_000n);
      return node("int", 1, [], () => value);
    }
    need(token !== undefined && this.parameters.includes(token));
    return node("int", 2, [], (inputs) => inputs.get(token!)!);
  }

  #peek(): string | undefined {
    return this.tokens[this.#at];
  }
}

function node(
  type: Part["type"],
  own: number,
  parts: readonly Part[],
  run: Run,
): Part {
  return {
    type,
    nodes: parts.reduce((sum, part) => sum + part.nodes, own),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    run,
  };
}

function need(holds: boolean): void {
  if (!holds) throw new NotAllowed();
}

const COMPARE: ReadonlyMap<string, (a: bigint, b: bigint) => boolean> = new Map(
  [
    ["<", (a: bigint, b: bigint) => a < b],
    ["<=", (a, b) => a <= b],
    [">", (a, b) => a > b],
    [">=", (a, b) => a >= b],
    ["==", (a, b) => a === b],
    ["!=", (a, b) => a !== b],
  ],
);
