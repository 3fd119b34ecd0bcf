import assert from "node:assert/strict";
import type { Finding, RunView } from "../evidence/run_view.ts";
import { tellBroken } from "./tell_broken.ts";

/** A view of which only the findings are looked at. */
const viewOf = (...findings: Finding[]) => ({ findings }) as unknown as RunView;

function told(...runs: { view: RunView; typed: string }[]) {
  const notes: string[] = [];
  const code = tellBroken(runs, {
    out: () => assert.fail("Nothing belongs on stdout"),
    note: (text) => notes.push(text),
    outColor: false,
    noteColor: false,
    noteIsTerminal: false,
  });
  return { code, notes };
}

Deno.test("tellBroken() says nothing of evidence that holds", () => {
  assert.deepEqual(
    told({ view: viewOf(), typed: "a" }, { view: viewOf(), typed: "b" }),
    { code: 0, notes: [] },
  );
});

Deno.test("tellBroken() says the first finding of each run, its place, and what to type", () => {
  const bad = viewOf(
    { file: "audit.jsonl", line: 5, message: "It isn't\x1b so" },
    { file: "final.json", line: null, message: "never said" },
  );
  const whole = viewOf({ file: "final.json", line: null, message: "Nor this" });
  assert.deepEqual(
    told(
      { view: bad, typed: "a b" },
      { view: viewOf(), typed: "good" },
      { view: whole, typed: "c" },
    ),
    {
      code: 4,
      notes: [
        'The evidence of "a b" does NOT hold: audit.jsonl, line 5: ' +
        "It isn't\\u{1b} so. See: tinycoder verify 'a b'\n",
        'The evidence of "c" does NOT hold: final.json: Nor this. ' +
        "See: tinycoder verify c\n",
      ],
    },
  );
});
