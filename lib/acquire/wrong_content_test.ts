import assert from "node:assert/strict";
import { grouped, wrongContent } from "./wrong_content.ts";

function found(text: string, bytes = text.length): ReturnType<
  typeof wrongContent
> {
  return wrongContent({ bytes, head: new TextEncoder().encode(text) }, 659);
}

Deno.test("wrongContent() has a sentence of its own for each kind", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
  const cases = [
    found(""),
    found(pointer),
    found("<!DOCTYPE html>\n<title>Sign in</title>"),
    found("{", 658),
    found("{", 660),
    found("{", 659),
  ];
  assert.deepEqual(cases.map(({ kind }) => kind), [
    "empty",
    "lfs_pointer",
    "html_page",
    "truncated",
    "too_long",
    "other_bytes",
  ]);
  assert.equal(new Set(cases.map(({ why }) => why)).size, cases.length);
  assert.equal(cases[3]!.why, "it is truncated: 658 of 659 bytes");
  assert.equal(cases[4]!.why, "it has 660 bytes instead of 659");
});

Deno.test("wrongContent() knows HTML by its start or by the server's word", () => {
  for (const start of ["<html>", "  \n<HTML lang=en>", "<!doctype html>"]) {
    assert.equal(found(start).kind, "html_page", start);
  }
  const head = new TextEncoder().encode("{}");
  assert.equal(
    wrongContent({ bytes: 2, head, saidHtml: true }, 659).kind,
    "html_page",
  );
  assert.equal(found("<htmlx>").kind, "truncated");
  assert.equal(found("x<html>").kind, "truncated");
});

Deno.test("wrongContent() takes a pointer of the right size for a pointer", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\n";
  assert.equal(found(pointer, 659).kind, "lfs_pointer");
});

Deno.test("grouped() separates thousands", () => {
  assert.deepEqual(
    [0, 999, 1000, 988_097_824].map(grouped),
    ["0", "999", "1,000", "988,097,824"],
  );
});
