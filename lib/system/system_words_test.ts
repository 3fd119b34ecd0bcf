import assert from "node:assert/strict";
import { systemWords } from "./system_words.ts";

Deno.test("systemWords() has words for what a disk answers, and names what it doesn't know", () => {
  const withCode = (code: string) => Object.assign(new Error("x"), { code });
  for (const code of ["ENOSPC", "EROFS", "ELOOP", "EISDIR", "EACCES"]) {
    assert.doesNotMatch(systemWords(withCode(code)).why, /answered/);
  }
  assert.deepEqual(systemWords(withCode("ENOSPC")), {
    why: "the disk is full",
    next: "Free some space, or choose another disk.",
  });
  assert.deepEqual(systemWords(withCode("EODD")), {
    why: "the system answered EODD",
    next: "Choose another place.",
  });
});

Deno.test("systemWords() tells a system's own folder from a right that isn't there", () => {
  for (
    const [message, why] of [
      [
        'Requires all access to "/proc/x", run again with the --allow-all flag',
        "Deno lets no program use the special folder that it lies in",
      ],
      [
        'Requires write access to "/x", run again with the --allow-write flag',
        "this program has no right to write it",
      ],
      [
        'Requires read access to "/x", run again with the --allow-read flag',
        "this program has no right to read it",
      ],
      ["words of a later Deno", "this program has no right to use it"],
    ] as const
  ) assert.equal(systemWords(new Deno.errors.NotCapable(message)).why, why);
});
