// Typography first: one column of comfortable width, one serif for what is read,
// one monospace for what is evidence, colour only as a second sign.

/** The page's style sheet. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9;
  --raised: #f5f2ea;
  --ink: #1d1c1a;
  --quiet: #625d54;
  --rule: #ddd7ca;
  --link: #1f4f8b;
  --good: #17663a;
  --good-wash: #e6f2e8;
  --bad: #a32317;
  --bad-wash: #fbe9e5;
  --text: Charter, "Bitstream Charter", "Iowan Old Style", Cambria, Georgia, serif;
  --label: system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif;
  --code: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181b;
    --raised: #202227;
    --ink: #e9e6df;
    --quiet: #a8a297;
    --rule: #383a40;
    --link: #9cc3f5;
    --good: #7fd3a0;
    --good-wash: #1c3126;
    --bad: #ff9a8e;
    --bad-wash: #3b2321;
  }
}
* { box-sizing: border-box; }
html { font-size: 106.25%; scroll-behavior: smooth; scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  padding: 0 clamp(1rem, 5vw, 2.5rem) 4rem;
  max-width: 52rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 var(--text);
  font-variant-numeric: lining-nums;
  overflow-wrap: break-word;
}
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
main:focus { outline: none; }
.skip {
  position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; z-index: 1;
  background: var(--ink); color: var(--paper); font-family: var(--label);
}
.skip:focus { top: .5rem; }
header.page { padding: 3.5rem 0 1.75rem; border-bottom: 1px solid var(--rule); }
.kicker {
  margin: 0 0 .5rem; font: 600 .75rem/1.4 var(--label);
  letter-spacing: .09em; text-transform: uppercase; color: var(--quiet);
}
h1 { margin: 0; font-size: clamp(1.8rem, 5vw, 2.5rem); line-height: 1.15; font-weight: 600; letter-spacing: -.015em; }
h1 + p { margin: .75rem 0 0; font-size: 1.1rem; color: var(--quiet); max-width: 38rem; }
h2 { margin: 3.5rem 0 1rem; font-size: 1.45rem; line-height: 1.25; font-weight: 600; letter-spacing: -.01em; }
h3 { margin: 0; font-size: 1.1rem; line-height: 1.4; font-weight: 600; }
section > h3 { margin-top: 2.25rem; }
h4 { margin: 1.75rem 0 .5rem; font: 600 .8rem/1.4 var(--label); color: var(--quiet); }
p { margin: .6rem 0; max-width: 40rem; }
time { white-space: nowrap; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1.5rem 0 0; padding: 0; list-style: none; font: .9rem/1.5 var(--label); }
code, pre, .code { font-family: var(--code); font-size: .82em; line-height: 1.6; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .8rem 1rem; white-space: pre-wrap; background: var(--raised); border-radius: 4px; }
.facts { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0; margin: 2.25rem 0 0; border-block: 1px solid var(--rule); }
.facts > div { padding: 1.25rem 1.25rem 1.4rem; }
.facts > div + div { border-left: 1px solid var(--rule); }
.facts > div:first-child { padding-left: 0; }
.facts dt, dl.list dt { font: .8rem/1.5 var(--label); color: var(--quiet); }
.facts dd { margin: 0; }
.facts .headline { margin: .15rem 0 .3rem; font-size: 1.35rem; line-height: 1.25; font-weight: 600; letter-spacing: -.01em; }
.facts .more { margin: 0; font-size: .92rem; line-height: 1.5; color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.quiet { color: var(--quiet); }
.pips { display: flex; flex-wrap: wrap; gap: .28rem; margin: .55rem 0 .4rem; padding: 0; list-style: none; }
.pips li { width: .72rem; height: .72rem; border: 1.5px solid var(--bad); border-radius: 50%; }
.pips li.pass { background: var(--good); border-color: var(--good); }
.pips li.gap { width: .4rem; border: 0; }
.notice { margin: 2rem 0 0; padding: 1rem 1.25rem; border-left: 4px solid var(--bad); background: var(--bad-wash); border-radius: 0 4px 4px 0; }
.notice.calm { border-color: var(--quiet); background: var(--raised); }
.notice p { margin: .25rem 0; }
ol.proposals { margin: 0; padding: 0; list-style: none; }
.proposal { position: relative; padding: 1.4rem 0 1.5rem 3.25rem; border-top: 1px solid var(--rule); }
.proposal:last-child { border-bottom: 1px solid var(--rule); }
.proposal .number { position: absolute; left: 0; top: 1.3rem; width: 2rem; font: 400 1.5rem/1.3 var(--text); color: var(--quiet); font-variant-numeric: lining-nums tabular-nums; }
.proposal .top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .9rem; }
.verdict { margin: 0; font: 600 .85rem/1.5 var(--label); }
.proposal .meta { margin: .1rem 0 0; font: .82rem/1.6 var(--label); color: var(--quiet); font-variant-numeric: tabular-nums; }
.proposal .meta span + span::before { content: "·"; margin: 0 .5em; }
.said { margin: .5rem 0 .6rem; }
.happened { margin: .6rem 0; padding: 0; list-style: none; font: .82rem/1.6 var(--label); color: var(--quiet); }
.diff { margin: .8rem 0; border-radius: 4px; overflow: hidden; }
.diff p { display: flex; gap: .75rem; margin: 0; padding: .3rem .9rem; max-width: none; font-family: var(--code); font-size: .82rem; line-height: 1.6; overflow-wrap: anywhere; }
.diff .sign { user-select: none; }
.diff .before { background: var(--bad-wash); }
.diff .before .sign { color: var(--bad); }
.diff .after { background: var(--good-wash); }
.diff .after .sign { color: var(--good); }
.diff.refused p { background: var(--raised); color: var(--quiet); }
.diff.refused .sign { color: var(--quiet); }
details { margin: .2rem 0; }
details[open] { margin-bottom: .6rem; }
summary { width: fit-content; padding: .05rem 0; font: .85rem/1.6 var(--label); color: var(--link); cursor: pointer; }
summary .size { color: var(--quiet); }
table { width: 100%; margin: .75rem 0; border-collapse: collapse; font-size: .92rem; line-height: 1.5; }
caption { padding-bottom: .4rem; text-align: left; font: .85rem/1.5 var(--label); color: var(--quiet); }
table + table { margin-top: 1.75rem; }
th, td { padding: .4rem .9rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { font: 600 .78rem/1.5 var(--label); color: var(--quiet); }
tbody th { font-weight: 400; }
.kind th { padding-top: .8rem; font: 600 .8rem/1.5 var(--label); color: var(--quiet); }
.kind ~ tr { break-before: avoid; }
.number-cell + td:not(.number-cell), .number-cell + th:not(.number-cell) { padding-left: 1.5rem; }
th:last-child, td:last-child { padding-right: 0; }
.number-cell { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number-cell { text-align: right; }
dl.list { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; margin: .75rem 0; font-size: .92rem; }
dl.list > * { margin: 0; padding: .35rem 0; border-bottom: 1px solid var(--rule); min-width: 0; }
dl.list dd { overflow-wrap: anywhere; }
.strip { display: block; width: 100%; height: 1.1rem; margin: 1rem 0 .3rem; border-radius: 3px; }
.k0 { fill: #3d6fb0; } .k1 { fill: #b0803d; } .k2 { fill: #5a9a6e; } .k3 { fill: #a4566b; }
.k4 { fill: #7b68a8; } .k5 { fill: #4c9aa0; } .k6 { fill: #8d8d3e; } .rest { fill: var(--rule); }
.swatch { display: inline-block; width: .7rem; height: .7rem; margin-right: .5rem; vertical-align: baseline; }
.plain { margin: .5rem 0; padding-left: 1.2rem; max-width: 40rem; }
.plain li { margin: .35rem 0; }
.compared { table-layout: fixed; }
.compared th:first-child { width: 24%; font: .85rem/1.5 var(--label); color: var(--quiet); }
.compared caption { padding: 1.5rem 0 .2rem; font: 600 1.1rem/1.4 var(--text); color: var(--ink); }
.compared td { overflow-wrap: anywhere; }
.print-only { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer.page { margin-top: 4rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); font-size: .92rem; color: var(--quiet); }
@media (max-width: 40rem) {
  .facts { grid-template-columns: 1fr; }
  .facts > div { padding: 1rem 0; }
  .facts > div + div { border-left: 0; border-top: 1px solid var(--rule); }
  .proposal { padding-left: 2.1rem; }
  th, td { padding-right: .5rem; overflow-wrap: anywhere; }
  .number-cell { white-space: normal; }
  .number-cell + td:not(.number-cell), .number-cell + th:not(.number-cell) { padding-left: .6rem; }
  .compared th:first-child { width: 30%; }
  .compared { font-size: .85rem; }
  dl.list { grid-template-columns: 1fr; }
  dl.list dt { padding-bottom: 0; border-bottom: 0; }
  dl.list dd { padding-top: 0; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@page { size: A4; margin: 18mm 16mm; }
@media print {
  :root {
    --paper: #fff; --raised: #f6f5f2; --ink: #000; --quiet: #4c4c4c; --rule: #bbb; --link: #000;
    --good: #0d5c30; --good-wash: #eef6f0; --bad: #96180d; --bad-wash: #fcefed;
  }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .skip, .prompt { display: none; }
  .print-only { display: block; }
  header.page { padding-top: 0; }
  h2 { margin-top: 2rem; break-after: avoid; }
  h3, .top, .proposal .meta { break-after: avoid; }
  .facts, .diff, .notice, tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { color: var(--quiet); list-style: none; }
  a { text-decoration: none; }
}
`;
