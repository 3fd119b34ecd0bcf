// Random questions about expressions: allowed ones, nearly allowed ones, Python
// of every kind, tokens in any order, and what lies at the limits.

import {
  FUNCTION_NAMES,
  FUNCTION_PARAMETERS,
  type FunctionName,
} from "../lib/lab/expression/function_names.ts";

/** A function, a text for it, and inputs. */
export type Question = readonly [FunctionName, string, readonly number[]];

/** Numbers from a seed (the 32-bit generator known as mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to `below` - 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** A random question for both sides, the same for the same numbers. */
export function askQuestion(random: Random): Question {
  const functionName = random.pick(FUNCTION_NAMES);
  const names = FUNCTION_PARAMETERS[functionName];
  return [functionName, text(random, names), names.map(() => input(random))];
}

function input(random: Random): number {
  const size = random.pick([3, 10, 100, 2_000, 1_000_001]);
  const value = random.chance(2) ? 1_000_001 : random.below(size);
  return random.chance(40) ? -value || 0 : value;
}

function text(random: Random, names: readonly string[]): string {
  const allowed = new AllowedWriter(random, names);
  switch (random.below(8)) {
    case 0:
    case 1:
      return allowed.integer(random.below(6));
    case 2:
      return new AllowedWriter(random, names, 20).integer(random.below(6));
    case 3:
      return mutated(random, allowed.integer(random.below(5)));
    case 4:
      return soup(random, names);
    case 5:
      return new PythonWriter(random, names, false).any(random.below(4));
    case 6:
      return new PythonWriter(random, names, true).any(random.below(5));
    default:
      return atLimit(random, names);
  }
}

/** Writes what lab Part 4 allows, in any spacing, or now and then a misfit. */
class AllowedWriter {
  constructor(
    readonly random: Random,
    readonly names: readonly string[],
    readonly misfitPercent = 0,
  ) {}

  integer(level: number): string {
    const { random } = this;
    if (level === 0) return this.atom();
    const below = (): string => this.integer(random.below(level));
    switch (random.below(6)) {
      case 0:
        return this.atom();
      case 1:
        return `(${this.gap()}${below()}${this.gap()})`;
      case 2:
        return random.pick(["-", "+", "--"]) + this.gap() + this.inner(level);
      case 3:
        return `(${below()} if ${this.condition(level)} else ${below()})`;
      default: {
        const operator = random.pick(["+", "-", "*"]);
        return [this.inner(level), operator, this.inner(level)]
          .join(this.gap());
      }
    }
  }

  condition(level: number): string {
    if (this.random.chance(this.misfitPercent)) return this.inner(level);
    const operator = this.random.pick(["<", "<=", ">", ">=", "==", "!="]);
    return [this.inner(level), operator, this.inner(level)].join(this.gap());
  }

  inner(level: number): string {
    const misfits = level > 1 && this.random.chance(this.misfitPercent);
    const text = misfits
      ? this.condition(level - 1)
      : this.integer(this.random.below(level));
    return this.random.chance(60) ? `(${text})` : text;
  }

  atom(): string {
    const { random } = this;
    if (random.chance(70)) return random.pick(this.names);
    const digits = random.pick([1, 1, 2, 3, 6, 7]);
    return String(random.below(10 ** digits));
  }

  gap(): string {
    return this.random.pick(["", " ", " ", "  "]);
  }
}

/**
 * Writes Python of every kind that fits on a line; `wild` also puts constructs
 * where Python may not take them. Formatted strings keep to what CPython 3.11
 * and later read alike.
 */
class PythonWriter {
  constructor(
    readonly random: Random,
    readonly names: readonly string[],
    readonly wild: boolean,
  ) {}

  any(level: number): string {
    const { random } = this;
    if (level <= 0) return this.atom();
    const form = random.pick(FORMS);
    const written = form.replace(
      /[ABCFNTS]/g,
      (slot) => this.#slot(slot, level),
    );
    return this.wild || BARE.test(form) ? written : `(${written})`;
  }

  #slot(slot: string, level: number): string {
    switch (slot) {
      case "N":
        return this.random.pick([...this.names, "y", "__class__"]);
      case "F":
        return new AllowedWriter(this.random, this.names).integer(level - 1);
      case "T":
        return this.random.pick(TARGETS);
      case "S":
        return this.random.pick(STRINGS);
      default:
        return this.any(this.random.below(level));
    }
  }

  atom(): string {
    if (this.random.chance(60)) return this.random.pick(this.names);
    return this.random.pick(this.random.chance(50) ? ATOMS : STRINGS);
  }
}

/**
 * Python with slots: A, B and C for expressions, F for a field's, N for a name,
 * T for a target, S for a string.
 */
const FORMS = `
A + B;A - B;A * B;A / B;A // B;A % B;A @ B;A ** B;A << B;A >> B;A | B;A & B
A ^ B;-A;+A;~A;not A;A and B;A or B;A and B and C
A < B;A == B;A < B < C;A in B;A not in B;A is B;A is not B
A if B else C;A if B > C else A;A < B if C else A
N(A);N(A, B);N(*A, N=B, **C);A(B);N(N=A);N(A for N in B);N(**A, N=B)
N(**A, *B);N(N=A, B);N(A,);N(N := A);N(A, *B)
A.N;A[B];A[B:C];A[:];A[::B];A[B, C];A[B:C, A];A[*B];A[N := B]
(A, B);(A,);();[A, B];[];[*A, B];{A};{A, *B};{};{A: B};{**A};{A: B, **C}
{N := A};[N := A];(N := A);N := A;A, B;*A, B;*A
[A for T in B];{A for T in B};{A: B for T in C};(A for T in B)
[A for T in B if C];[A async for T in B];[A for T in B for T in C]
lambda: A;lambda N: A;lambda N, N=A: B;lambda *N, **N: A
lambda N, /, N, *, N=A: B;lambda N=A, N: B;lambda *, N: A
await A;(yield);(yield A);(yield from A);(yield A, B);yield A
S;S S;S.N;S[A];f'{F}';f'a{F!r}b{F}';f'{F=}';f'{F:>5}';f'{F,}'
`.trim().split(/[;\n]/);

/** Forms that need no parentheses around them. */
const BARE = /^(?:N\(|[([{]|S$)/;

const TARGETS =
  "x;y;x, y;x,;(x, y);[x, *y];*x;x.y;x[0];f(x).y;(x);f(x);-x;(*x);x if y;()"
    .split(";");

const ATOMS =
  ("0;1;00;7;1000000;1000001;9999999;1.5;.5;1.;1..real;True;False;None;...;" +
    "y;foo;__import__;lambda: 0;x;hi").split(";");

const STRINGS = String
  .raw`'a';"b";'';r'\d';b'a';B"x";"""a""";u'a';'a' 'b';f'a';f'{x}';f"{x}{{}}"`
  .concat(String.raw`;'\n';'#';'(';b'a' 'b';rb'\x';'\x41';f''`)
  .split(";");

/** A text with a few characters changed. */
function mutated(random: Random, text: string): string {
  let changed = text;
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(changed.length + 1);
    const removed = random.pick([0, 1, 1, 2]);
    const added = random.chance(70) ? random.pick(MUTATIONS) : "";
    changed = changed.slice(0, at) + added + changed.slice(at + removed);
  }
  return changed;
}

const MUTATIONS = [
  ..." ()+-*<>=!.,:[]{}~%/&|^@;#\\$?`_0159xe",
  ..."if |else |lambda |not | and | in |\t|é|\n|1e5|0x1|1_0|1j|12345678|01"
    .split("|"),
];

/** Tokens in any order. */
function soup(random: Random, names: readonly string[]): string {
  let tokens = "";
  for (let count = random.below(9); count >= 0; count--) {
    tokens += random.chance(40) ? random.pick(names) : random.pick(SOUP);
    tokens += random.pick(["", " ", " "]);
  }
  return random.chance(90) ? tokens.trim() : tokens;
}

const SOUP = [
  ...ATOMS,
  ..."+ - * / // % @ ** << >> & | ^ ~ < <= > >= == != = := -> . , : ; ! ( ) [ ] { }"
    .split(" "),
  ..."if else and or not in is lambda for async await yield from import def return"
    .split(" "),
  ..."() [] {} (x) [x] x.y x(y) x[y] 'a' 1if 0x10 1e5 1_000 1j 01 007 12345678"
    .split(
      " ",
    ),
];

/** Expressions at and around each limit. */
function atLimit(random: Random, names: readonly string[]): string {
  const name = random.pick(names);
  const off = random.below(3) - 1;
  const wrapped = (
    count: number,
    open: string,
    inner: string,
    close: string,
  ): string => open.repeat(count) + inner + close.repeat(count);
  switch (random.below(9)) {
    case 0:
      return wrapped(16 + off, "(", name, ")");
    case 1:
      return wrapped(15 + off, random.pick(["-", "+", "- "]), name, "");
    case 2:
      return wrapped(16 + off, "[", "", "]");
    case 3:
      return random.pick(["9", "1", "0"]).repeat(7 + off);
    case 4:
      return String(1_000_000 + off);
    case 5: {
      // 32 names and the 31 operations between them have 126 nodes.
      const sum = Array(8).fill(name).join("+");
      const sums = Array(4).fill(`(${sum})`).join("+");
      return "-".repeat(random.below(3)) + sums + random.pick(["", "+0"]);
    }
    case 6:
      return `${name}${" ".repeat(250 + random.below(8))}+1`.slice(0, 258);
    case 7:
      return `${1_000 + off}*${1_000 + random.below(3) - 1}`;
    default:
      return wrapped(
        random.below(18),
        random.pick(["(", "-(", "~(", "not (", "f(", "(0,", "x[(", "lambda:("]),
        name,
        ")",
      );
  }
}
