// Lab Part 10: what the run was made with.

import type { Json, JsonObject } from "../../agent/json.ts";
import { jsonWords } from "../../system/json_words.ts";
import type { RunView } from "../run_view.ts";
import { type Html, lines, markup } from "./html.ts";

/** Model, runtime, limits, prompt and digests. */
export function identity(view: RunView): Html {
  const { manifest } = view;
  const loaded = view.opening
    .findLast(({ event }) => event === "model_loaded")?.content;
  const facts = loaded?.["source_facts"] as JsonObject | undefined;
  return markup`<h3 id="model">Model</h3>
${
    manifest.model === null
      ? markup`<p>None: no model was loaded or called.</p>`
      : properties(manifest.model)
  }
${
    facts === undefined
      ? null
      : markup`<details><summary>As loaded <span class="size">told by the source</span></summary>
${properties(facts)}</details>`
  }
<h3>Runtime</h3>
${properties(manifest.runtime)}
<h3>Limits</h3>
${properties(manifest.limits)}
<h3>Prompt</h3>
<details id="instruction"><summary>The fixed instruction</summary>
<pre>${lines(manifest.prompt.system_instruction)}</pre></details>
<details><summary>The contract</summary>
<pre>${lines(manifest.prompt.contract)}</pre></details>
<h3>Files and digests</h3>
${
    properties({
      ...Object.fromEntries(
        manifest.initial_files.map(({ name, bytes, sha256 }) => [
          `${name}, at first`,
          `${bytes} bytes, SHA-256 ${sha256}`,
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(manifest.digests)
          .map(([name, digest]) => [name, `SHA-256 ${digest}`]),
      ),
      ...typeof view.final?.["sha256"] === "string"
        ? { "final source": `SHA-256 ${view.final["sha256"]}` }
        : {},
    })
  }`;
}

/** An object as a list of names and values, nested names joined. */
export function properties(object: JsonObject): Html {
  return markup`<dl class="list">
${
    flattened(object).map(([name, value]) =>
      markup`<dt>${name.replaceAll("_", " ")}</dt><dd>${value}</dd>
`
    )
  }</dl>
`;
}

/** A text is long and looks like one; all the rest is shown as JSON. */
function flattened(object: JsonObject, prefix = ""): [string, Html][] {
  return Object.entries(object).flatMap(([key, value]): [string, Html][] => {
    const name = prefix === "" ? key : `${prefix}, ${key}`;
    if (isObject(value)) return flattened(value, name);
    if (Array.isArray(value) && value.some(isObject)) {
      return value.flatMap((one: Json, at): [string, Html][] =>
        isObject(one)
          ? flattened(one, `${name} ${at + 1}`)
          : [[`${name} ${at + 1}`, shown(one)]]
      );
    }
    return [[name, shown(value)]];
  });
}

function shown(value: Json): Html {
  if (typeof value === "string") return digestsInCode(value);
  if (Array.isArray(value)) return markup`${value.map(jsonWords).join(", ")}`;
  return value === null ? markup`none` : markup`${jsonWords(value)}`;
}

/** Text in which a digest is set like one. */
function digestsInCode(text: string): Html {
  return markup`${
    text.split(/([0-9a-f]{40,})/).map((piece, at) =>
      at % 2 === 1 ? markup`<code>${piece}</code>` : piece
    )
  }`;
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
