// One self-contained page: no script, no request, and a policy that would stop
// both.

import { sha256 } from "../../system/sha256.ts";
import { Html, markup } from "./html.ts";
import { STYLE } from "./style.ts";

/** A page's parts. */
export interface Page {
  readonly title: string;
  /** Sections to jump to, by id. */
  readonly contents: readonly { readonly id: string; readonly name: string }[];
  readonly header: Html;
  readonly main: Html;
  readonly footer: Html;
}

/** The whole document. */
export function page({ title, contents, header, main, footer }: Page): string {
  const style = new Html(STYLE);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="tinycoder">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="page">
${header}
<nav aria-label="Sections"><ul>
${
    contents.map(({ id, name }) =>
      markup`<li><a href="#${id}">${name}</a></li>
`
    )
  }</ul></nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="page">
${footer}
</footer>
</body>
</html>
`.text;
}

/** Nothing but this page's own style and an empty icon. */
const POLICY = "default-src 'none'; img-src data:; " +
  `style-src 'sha256-${base64(sha256(STYLE))}'; ` +
  "base-uri 'none'; form-action 'none'";

function base64(hex: string): string {
  return Uint8Array.fromHex(hex).toBase64();
}
