// What kept the run inside its room, and what a reader must not take from it.

import type { RunView } from "../run_view.ts";
import { type Html, markup } from "./html.ts";

const PROBES: Readonly<Record<string, string>> = {
  read_outside: "reading a file outside the run's folder",
  write_outside: "writing a file outside the run's folder",
  net: "opening a connection",
  env: "reading the environment",
  sys: "asking about the system",
  run: "starting a process",
  ffi: "loading a native library",
};

/** What was tried against the controller's walls before the run began. */
export function enforced({ manifest }: RunView): Html {
  return markup`<table>
<caption>Tried by the controller before the first proposal</caption>
<thead><tr><th scope="col">Attempt</th><th scope="col">Answer</th></tr></thead>
<tbody>
${
    Object.entries(manifest.enforced).map(([probe, answer]) =>
      markup`<tr><th scope="row">${
        Object.hasOwn(PROBES, probe) ? PROBES[probe]! : probe
      }</th><td>${
        answer === "denied"
          ? markup`<span class="good">✓ denied by the runtime</span>`
          : markup`<span class="bad">✗ not enforced</span>`
      }</td></tr>
`
    )
  }</tbody>
</table>
<p>Authority: ${OPT_INS[manifest.authority.opt_in]}; it covers
${manifest.authority.covers}.</p>
`;
}

const OPT_INS = {
  command: "given by the command itself",
  typed: "typed by a person when asked",
  flag: "given by an option of the command",
} as const;

/** What neither the run nor this page promises. */
export function notPromised(view: RunView): Html {
  const native = view.manifest.model === null
    ? "No native inference code was loaded in this run. In a run with a " +
      "model it is, inside the process, and Deno's permissions don't bind it."
    : "The inference engine is native code inside the process; Deno's " +
      "permissions don't bind it.";
  return markup`<ul class="plain">
<li>No sandbox for arbitrary code. None is needed here: expressions are
interpreted, and nothing that was proposed was ever executed.</li>
<li>${native}</li>
<li>No defence against other programs of the same user. A managed file that
they change is noticed, and ends the run; it is not prevented.</li>
<li>Clock times, and what a source tells about itself, such as its tokens, are
recorded as told. No derivation can confirm them.</li>
<li>Twelve small cases say whether two expressions are right. They say nothing
of wider coding ability.</li>
<li>This page is made from the run's folder and repeats what it says. It is a
view, not the evidence.</li>
</ul>
`;
}
