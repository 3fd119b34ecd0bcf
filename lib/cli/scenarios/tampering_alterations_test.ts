import assert from "node:assert/strict";
import { scenarioFolder } from "../../../tests/scenario_tools.ts";
import { alterRun } from "./tampering_alterations.ts";
import type { Alteration } from "./tampering_format.ts";

const TEXT = "one\ntwo\nthree\n";

/** What the file holds after an alteration; null where it is gone. */
function after(alteration: Alteration): string | null {
  using folder = scenarioFolder();
  const path = `${folder.path}/f`;
  if (alteration.alter !== "create") Deno.writeTextFileSync(path, TEXT);
  alterRun(alteration, folder.path);
  try {
    // One character a byte, so that every byte is seen.
    return new TextDecoder("latin1").decode(Deno.readFileSync(path));
  } catch (error) {
    assert.ok(error instanceof Deno.errors.NotFound);
    return null;
  }
}

Deno.test("alterRun() alters bytes of a line or of the file", () => {
  const file = "f";
  const altered: readonly (readonly [Alteration, string | null])[] = [
    [{ alter: "flip_bit", file, byte: 0 }, "nne\ntwo\nthree\n"],
    [{ alter: "flip_bit", file, line: 2, byte: 1 }, "one\ntvo\nthree\n"],
    [
      { alter: "overwrite", file, line: 3, byte: 1, base64: "AP8=" },
      "one\ntwo\nt\0\u00ffee\n",
    ],
    [
      { alter: "replace", file, old: "two", new: "2 $& 2" },
      "one\n2 $& 2\nthree\n",
    ],
    [
      { alter: "replace", file, line: 3, old: "t", new: "" },
      "one\ntwo\nhree\n",
    ],
    [{ alter: "cut_end", file, bytes: 3 }, "one\ntwo\nthr"],
    [{ alter: "append_nuls", file, bytes: 2 }, `${TEXT}\0\0`],
    [{ alter: "empty", file }, ""],
    [{ alter: "delete", file }, null],
    [{ alter: "create", file, text: "new" }, "new"],
  ];
  for (const [alteration, expected] of altered) {
    assert.equal(after(alteration), expected, JSON.stringify(alteration));
  }
});

Deno.test("alterRun() moves, doubles, joins and drops lines", () => {
  const file = "f";
  const altered: readonly (readonly [Alteration, string])[] = [
    [{ alter: "join_lines", file, line: 1 }, "onetwo\nthree\n"],
    [{ alter: "swap_lines", file, line: 1 }, "two\none\nthree\n"],
    [{ alter: "swap_lines", file, line: 2 }, "one\nthree\ntwo\n"],
    [{ alter: "delete_line", file, line: 3 }, "one\ntwo\n"],
    [{ alter: "repeat_line", file, line: 2 }, "one\ntwo\ntwo\nthree\n"],
    [
      { alter: "insert_line", file, line: 2, text: "" },
      "one\n\ntwo\nthree\n",
    ],
  ];
  for (const [alteration, expected] of altered) {
    assert.equal(after(alteration), expected, JSON.stringify(alteration));
  }
});

Deno.test("alterRun() refuses what would alter nothing", () => {
  const file = "f";
  const impossible: readonly Alteration[] = [
    { alter: "flip_bit", file, byte: TEXT.length },
    { alter: "overwrite", file, byte: TEXT.length - 1, base64: "AAAA" },
    { alter: "replace", file, old: "four", new: "" },
    { alter: "replace", file, old: "e", new: "" },
    { alter: "replace", file, line: 2, old: "one", new: "" },
    { alter: "delete_line", file, line: 4 },
    { alter: "swap_lines", file, line: 3 },
    { alter: "join_lines", file, line: 9 },
  ];
  for (const alteration of impossible) {
    assert.throws(
      () => after(alteration),
      RangeError,
      JSON.stringify(alteration),
    );
  }
});
