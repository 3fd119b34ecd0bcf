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
  assert.match(
    systemWords(new Deno.errors.NotCapable("x")).why,
    /^Deno lets no program/,
  );
});
