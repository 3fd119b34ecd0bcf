// SECURITY.md against the tests: each one that it names is there.

import assert from "node:assert/strict";
import { ROOT } from "../tasks/generated.ts";

/** A test, as SECURITY.md names it. */
interface NamedTest {
  readonly file: string;
  readonly name: string;
}

const text = Deno.readTextFileSync(new URL("SECURITY.md", ROOT));

/** The tests that a Markdown text names, one an item of its lists. */
function namedTests(markdown: string): NamedTest[] {
  return [...markdown.matchAll(/^- `([^`]+_test\.ts)`: (.+(?:\n {2}.+)*)$/gm)]
    .map(([, file = "", name = ""]) => ({
      file,
      name: name.replace(/\s+/g, " "),
    }));
}

/** Names of the tests in a source, with `…` for what they fill in. */
function testsIn(source: string): string[] {
  return [...source.matchAll(
    /Deno\.test\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
  )].map(([, plain, filled]) =>
    plain?.replaceAll('\\"', '"') ?? filled!.replace(/\$\{[^}]*\}/g, "…")
  );
}

/** Properties under a heading of the third order, with what stands below. */
function properties(markdown: string): [string, string][] {
  return markdown.split(/^## /m).flatMap((part) =>
    part.split(/^### /m).slice(1)
  )
    .map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end)];
    });
}

Deno.test("SECURITY.md names no test that there isn't", () => {
  const named = namedTests(text);
  assert.ok(named.length > 40);
  const missing = named.filter(({ file, name }) =>
    !testsIn(Deno.readTextFileSync(new URL(file, ROOT))).includes(name)
  );
  assert.deepEqual(missing, []);
});

Deno.test("SECURITY.md says of each property who, what stops them, and what shows it", () => {
  const found = properties(text);
  assert.ok(found.length > 10);
  const lacking = found.filter(([, below]) =>
    !/^Against: /m.test(below) || !/^What stops them: /m.test(below) ||
    namedTests(below).length === 0
  ).map(([property]) => property);
  assert.deepEqual(lacking, []);
  // No item of a list was passed over for being written in another way.
  const items = found.flatMap(([, below]) => below.match(/^- /gm) ?? []);
  assert.equal(namedTests(text).length, items.length);
});

Deno.test("the search for named tests finds what it looks for", () => {
  assert.deepEqual(
    namedTests("- `tests/a_test.ts`: a long\n  name\n- other\n- `b.ts`: c\n"),
    [{ file: "tests/a_test.ts", name: "a long name" }],
  );
  assert.deepEqual(
    testsIn('Deno.test("a \\"b\\"", f);\nDeno.test(\n  `c ${d} e`, g);'),
    ['a "b"', "c … e"],
  );
  assert.deepEqual(properties("## A\n### b\nc\n### d\ne\n## F\ng\n"), [
    ["b", "\nc\n"],
    ["d", "\ne\n"],
  ]);
});
