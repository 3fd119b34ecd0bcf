// The program's own sources as text, and what each imports.

/** Top folder of the checkout. */
export const ROOT: string = new URL("..", import.meta.url).pathname
  .replace(/\/$/, "");

/** One module that another one names. */
export interface Import {
  /** Path from the top folder, or a package's or built-in module's name. */
  readonly target: string;
  readonly kind: "static" | "dynamic" | "url";
  /** Types alone are gone when the program runs. */
  readonly typesOnly: boolean;
}

/** One source file. */
export interface OwnSource {
  /** Path from the top folder. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

/** Paths of the files below a folder, from the top folder, sorted. */
export function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(`${ROOT}/${folder}`)].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? filesBelow(path) : [path];
  }).sort();
}

/** What the binary is made of: `main.ts`, `lib`, `worker`; no test, no stub. */
export function ownSources(): OwnSource[] {
  return ["main.ts", ...filesBelow("lib"), ...filesBelow("worker")]
    .filter((path) =>
      path.endsWith(".ts") && !path.endsWith("_test.ts") &&
      !path.startsWith("lib/model/stubs/")
    )
    .map((path) => readSource(path, Deno.readTextFileSync(`${ROOT}/${path}`)));
}

/** A source from its text. */
export function readSource(path: string, text: string): OwnSource {
  const code = withoutComments(text);
  const imports = PATTERNS.flatMap(({ kind, pattern }) =>
    [...code.matchAll(pattern)].map(([whole, name]): Import => ({
      target: resolved(path, name ?? ""),
      kind,
      typesOnly: /^(?:import|export) type\b|typeof import|: import/.test(whole),
    }))
  );
  return { path, text, code, imports };
}

// The sources are formatted: a statement begins its line, strings are in
// double quotes.
const PATTERNS: readonly { kind: Import["kind"]; pattern: RegExp }[] = [
  {
    kind: "static",
    pattern: /^(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"/gm,
  },
  { kind: "static", pattern: /^import\s+"([^"]+)"/gm },
  {
    kind: "dynamic",
    pattern: /(?:typeof |[:=] )?\bimport\(\s*"([^"]+)"\s*\)/g,
  },
  { kind: "url", pattern: /new URL\(\s*"([^"]+)",\s*import\.meta\.url/g },
];

function resolved(from: string, name: string): string {
  if (!name.startsWith(".")) return name;
  return new URL(name, `file:///${from}`).pathname.slice(1);
}

/** Comments give way to a space; strings and regular expressions stay. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*.*?\*\/|(?<=^|[\s;,{(])\/\/[^\n]*/gs,
    (_, string: string | undefined) => string ?? " ",
  );
}
