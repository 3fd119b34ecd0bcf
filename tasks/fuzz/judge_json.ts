// A second opinion on strict JSON: V8's parser says what is JSON at all, and
// what the program refuses beyond it is looked for in the tokens of a text that
// V8 took.

import { parsePlatformJson } from "../../tests/platform_json.ts";

/** The second opinion. */
export type JsonJudgement =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    /** What is wrong with a text that V8 takes; null where V8 takes none. */
    readonly code: "byte_order_mark" | TokenFault | null;
  };

/** Why a text that V8 takes is refused all the same. */
type TokenFault = "lone_surrogate" | "json_nesting_limit" | "duplicate_key";

/** Judges bytes as one strict JSON value, at most `maxDepth` levels deep. */
export function judgeJson(bytes: Uint8Array, maxDepth: number): JsonJudgement {
  let text: string;
  try {
    text = STRICT.decode(bytes);
  } catch {
    return { ok: false, code: null };
  }
  let value: unknown;
  try {
    value = parsePlatformJson(text.replace(/^\ufeff/, ""));
  } catch {
    return { ok: false, code: null };
  }
  if (text.startsWith("\ufeff")) return { ok: false, code: "byte_order_mark" };
  const { fault } = readTokens(text, maxDepth);
  return fault === null ? { ok: true, value } : { ok: false, code: fault };
}

/** What is open at the end of a text that is JSON as far as it goes. */
export interface OpenAtEnd {
  readonly depth: number;
  /** Keys of the innermost open object. */
  readonly keys: ReadonlySet<string>;
}

/** Looks at the beginning of a text, up to a place where it was refused. */
export function openAtEnd(prefix: string): OpenAtEnd {
  return readTokens(prefix, Infinity);
}

function readTokens(
  text: string,
  maxDepth: number,
): OpenAtEnd & { readonly fault: TokenFault | null } {
  const open: Set<string>[] = [];
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  let fault: TokenFault | null = null;
  tokens.forEach((token, index) => {
    if (token === "{" || token === "[") {
      open.push(new Set());
      if (open.length > maxDepth) fault ??= "json_nesting_limit";
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token.startsWith('"') && token.length > 1) {
      const string = unescaped(token);
      if (!string.isWellFormed()) fault ??= "lone_surrogate";
      if (tokens[index + 1] === ":") {
        const keys = open.at(-1);
        if (keys?.has(string)) fault ??= "duplicate_key";
        keys?.add(string);
      }
    }
  });
  return { depth: open.length, keys: open.at(-1) ?? new Set(), fault };
}

/** A string token's text; as it is where the token is cut off. */
function unescaped(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

/** How the outermost object of a JSON text writes a number, if it does. */
export function numberText(bytes: Uint8Array, key: string): string | undefined {
  const written = new Map<unknown, string>();
  // The standard library's types don't know the third argument yet.
  const keepText = function (
    this: unknown,
    name: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    if (name === key && typeof value === "number") {
      written.set(this, context?.source ?? "");
    }
    return value;
  };
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes), keepText);
  return written.get(value);
}

/**
 * Whether a JSON text has a number that isn't the same once it is a double: a
 * large integer, one that is too large or too small, a negative zero.
 */
export function losesNumber(text: Uint8Array): boolean {
  let lost = false;
  const look = (
    _key: string,
    value: unknown,
    context?: { source?: string },
  ) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? "";
    lost ||= !Number.isFinite(value) || Object.is(value, -0) ||
      /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ||
      value === 0 && /^-?[0.]*[1-9]/.test(source);
    return value;
  };
  JSON.parse(new TextDecoder().decode(text), look);
  return lost;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
