import assert from "node:assert/strict";
import { DENO_VERSION } from "../../tasks/generated.ts";
import { licensesText } from "../../tasks/build/licenses.ts";
import { licenses } from "./licenses.ts";

function said(options: Record<string, boolean>): string {
  let text = "";
  const code = licenses({ operands: [], options }, {
    out: (more) => text += more,
    note: () => {},
    outColor: false,
    noteIsTerminal: false,
    noteColor: false,
  });
  assert.equal(code, 0);
  return text;
}

Deno.test("licenses() lists what the installed packages say", () => {
  assert.deepEqual(
    JSON.parse(said({ json: true })),
    JSON.parse(licensesText(DENO_VERSION)),
  );
});

Deno.test("licenses() prints each part's title once in the table, and its text", () => {
  const page = said({});
  for (const { name, text } of JSON.parse(said({ json: true }))) {
    assert.ok(page.includes(`\n${name}`) || page.startsWith(`  ${name}`), name);
    assert.ok(text.length > 900 && page.includes(text), name);
  }
});
