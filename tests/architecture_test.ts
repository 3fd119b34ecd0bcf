// Arrows point one way: what each folder may import, and that no circle is
// closed.

import assert from "node:assert/strict";
import { type OwnSource, ownSources, readSource } from "./own_sources.ts";

const BOTTOM = ["lib/agent", "lib/system"];

/** Folders that the sources of a folder may import from, beside their own. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["lib/cli", "lib/system"],
  "lib/cli": [
    "lib/supervisor",
    "lib/source",
    "lib/lab",
    "lib/lab/expression",
    "lib/model",
    "lib/acquire",
    "lib/evidence",
    ...BOTTOM,
    "fixtures",
  ],
  "lib/supervisor": BOTTOM,
  "lib/source": BOTTOM,
  "lib/model": [...BOTTOM, "fixtures"],
  "lib/acquire": [...BOTTOM, "fixtures"],
  "lib/evidence": BOTTOM,
  "lib/lab": ["lib/lab/expression", ...BOTTOM, "fixtures"],
  "lib/lab/expression": [],
  // The clock's instants are typed with the gate's.
  "lib/system": ["lib/agent"],
  "lib/agent": [],
  "worker": ["lib/cli", "lib/model", "lib/acquire", "lib/system"],
  "fixtures": [],
};

/** Folders that import from nowhere else, packages included. */
const PURE = ["lib/agent", "lib/lab/expression"];

/** Packages that one folder alone may import: the others go through it. */
const KEPT_PACKAGES: Readonly<Record<string, string>> = {
  "zod": "lib/system",
  "commander": "lib/cli",
  "@huggingface/transformers": "lib/model",
  "onnxruntime-node": "lib/model",
};

/** The folder whose arrows hold for a path. */
function folderOf(path: string): string {
  const folder = Object.keys(ARROWS)
    .filter((one) => path === one || path.startsWith(`${one}/`))
    .sort((a, b) => b.length - a.length)[0];
  assert(folder !== undefined, `${path} lies in no folder of the design`);
  return folder;
}

function isOwn(target: string): boolean {
  return /^(?:main\.ts$|lib\/|worker\/|fixtures\/|tests\/|tasks\/)/.test(
    target,
  );
}

/** Imports against the arrows, as `path → target`. */
function againstArrows(sources: readonly OwnSource[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const folder = folderOf(path);
    return imports.filter(({ target, kind }) => {
      if (!isOwn(target)) {
        const name = target.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? target;
        return PURE.includes(folder) ||
          (KEPT_PACKAGES[name] ?? folder) !== folder;
      }
      if (/^(?:tests|tasks)\//.test(target)) return true;
      const to = folderOf(target);
      // Who starts a worker names its entry, and takes nothing from it.
      if (to === "worker") return kind !== "url";
      return to !== folder && !ARROWS[folder]?.includes(to);
    }).map(({ target }) => `${path} → ${target}`);
  });
}

/** Circles of imports, each from its first path; types aside. */
function circles(sources: readonly OwnSource[]): string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ kind, typesOnly }) => kind === "static" && !typesOnly)
        .map(({ target }) => target),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start !== -1) found.push([...way.slice(start), path].join(" → "));
    if (start !== -1 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}

/** Everything that a module loads when it is loaded, itself included. */
function loadedBy(path: string, sources: readonly OwnSource[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const loaded = new Set<string>();
  const visit = (target: string) => {
    if (loaded.has(target)) return;
    loaded.add(target);
    for (const one of byPath.get(target)?.imports ?? []) {
      if (one.kind === "static" && !one.typesOnly) visit(one.target);
    }
  };
  visit(path);
  return loaded;
}

const sources = ownSources();

Deno.test("no source imports against the arrows", () => {
  assert.deepEqual(againstArrows(sources), []);
});

Deno.test("no imports close a circle", () => {
  assert.deepEqual(circles(sources), []);
});

Deno.test("the worker folder holds entries, and nothing else", () => {
  const entries = sources.filter(({ path }) => path.startsWith("worker/"));
  assert(entries.length > 0);
  const started = sources.flatMap(({ imports }) =>
    imports.filter(({ kind, target }) =>
      kind === "url" && target.startsWith("worker/")
    ).map(({ target }) => target)
  );
  assert.deepEqual(
    entries.map(({ path }) => path).filter((path) => !started.includes(path)),
    [],
    "Each is started by somebody",
  );
  for (const { path, code } of entries) {
    assert.doesNotMatch(code, /^export\b/m, `${path} exports something`);
  }
});

Deno.test("a baseline loads neither a model's libraries nor node:crypto", () => {
  for (const start of ["main.ts", "lib/cli/run.ts", "worker/controller.ts"]) {
    const loaded = loadedBy(start, sources);
    assert(loaded.has("lib/system/command_error.ts") || loaded.size > 20);
    const heavy = [...loaded].filter((target) =>
      /^(?:node:(?:crypto|https|tls|net)$|@huggingface|onnxruntime|lib\/model\/|lib\/acquire\/)/
        .test(target)
    );
    assert.deepEqual(heavy, [], start);
  }
});

Deno.test("the checks find what they look for", () => {
  const wrong = [
    readSource(
      "lib/agent/a.ts",
      'import type { B } from "../system/clock.ts";\n',
    ),
    readSource(
      "lib/lab/expression/a.ts",
      'import {\n  z,\n} from "zod";\nimport "../instruction.ts";\n',
    ),
    readSource("lib/evidence/a.ts", 'export * from "../lab/cases.ts";\n'),
    readSource("lib/lab/a.ts", 'const b = await import("../cli/run.ts");\n'),
    readSource("lib/source/a.ts", 'import "../../worker/controller.ts";\n'),
    readSource("lib/cli/a.ts", 'import "../../tests/own_sources.ts";\n'),
    readSource("lib/lab/b.ts", '// import "../cli/run.ts";\nimport "zod";\n'),
  ];
  assert.deepEqual(againstArrows(wrong), [
    "lib/agent/a.ts → lib/system/clock.ts",
    "lib/lab/expression/a.ts → zod",
    "lib/lab/expression/a.ts → lib/lab/instruction.ts",
    "lib/evidence/a.ts → lib/lab/cases.ts",
    "lib/lab/a.ts → lib/cli/run.ts",
    "lib/source/a.ts → worker/controller.ts",
    "lib/cli/a.ts → tests/own_sources.ts",
    "lib/lab/b.ts → zod",
  ]);
  assert.deepEqual(
    circles([
      readSource("lib/lab/a.ts", 'import { b } from "./b.ts";\n'),
      readSource("lib/lab/b.ts", 'import { c } from "./c.ts";\n'),
      readSource("lib/lab/c.ts", 'import { b } from "./b.ts";\n'),
      readSource("lib/lab/d.ts", 'import type { a } from "./d.ts";\n'),
    ]),
    ["lib/lab/b.ts → lib/lab/c.ts → lib/lab/b.ts"],
  );
  assert.throws(() => folderOf("lib/other/a.ts"), { name: "AssertionError" });
});
