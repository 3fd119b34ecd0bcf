import assert from "node:assert/strict";
import { lines, markup } from "./html.ts";
import { page } from "./page.ts";

Deno.test("markup() escapes text and keeps markup", () => {
  const inner = markup`<b>${"a&b"}</b>`;
  assert.equal(
    markup`<p title="${`"'<>`}">${inner}${[1, null, "</p>"]}</p>`.text,
    '<p title="&quot;&#39;&lt;&gt;"><b>a&amp;b</b>1&lt;/p&gt;</p>',
  );
});

Deno.test("markup() spells out what can't be seen", () => {
  assert.equal(
    markup`${"a\u202e\x00\n\u200b\ud800"}`.text,
    "a\\u{202e}\\u{0}\\u{a}\\u{200b}\\u{d800}",
  );
});

Deno.test("lines() keeps line feeds and tabs, and nothing else of the kind", () => {
  assert.equal(lines("a\n\tb\r\v<").text, "a\n\tb\\u{d}\\u{b}&lt;");
});

Deno.test("page() names its own style in its policy", async () => {
  const document = page({
    title: "</title><script>",
    contents: [{ id: "a", name: "A" }],
    header: markup`<h1>A</h1>`,
    main: markup`<h2 id="a">A</h2>`,
    footer: markup`f`,
  });
  const style = document.match(/<style>([^]*?)<\/style>/)![1]!;
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style)),
  ).toBase64();
  assert.equal(
    document.match(/Content-Security-Policy" content="([^"]*)"/)![1],
    "default-src &#39;none&#39;; img-src data:; " +
      `style-src &#39;sha256-${digest}&#39;; ` +
      "base-uri &#39;none&#39;; form-action &#39;none&#39;",
  );
  assert(document.startsWith('<!doctype html>\n<html lang="en">'));
  assert(document.includes("<title>&lt;/title&gt;&lt;script&gt;</title>"));
  assert.doesNotMatch(document, /<script|https?:/);
});
