// From a script's verdicts inside a namespace to steps of a test outside.

import assert from "node:assert/strict";
import { makeNamespace } from "./namespace.ts";
import type { Verdict } from "./one_by_one.ts";

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/**
 * Runs a script of this folder in a namespace of its own; each of its verdicts
 * becomes a step.
 *
 * @param least Fewest verdicts that it must give.
 * @param env Added to its environment.
 */
export async function stepInside(
  t: Deno.TestContext,
  script: string,
  least: number,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const namespace = await makeNamespace(folder);
    const { authority, certificate, key } = namespace.authority;
    const { code, stdout, stderr } = await namespace.command("deno", [
      "run",
      "--quiet",
      "--no-check",
      "--allow-all",
      `--config=${CONFIG}`,
      new URL(script, import.meta.url).pathname,
      authority,
      certificate,
      key,
      namespace.work,
    ], { env }).output();
    const errors = new TextDecoder().decode(stderr);
    assert.equal(code, 0, errors);
    const verdicts = new TextDecoder().decode(stdout).trim().split("\n").map(
      (line): Verdict => JSON.parse(line),
    );
    for (const { name, fault } of verdicts) {
      await t.step(name, () => assert.equal(fault, null, fault ?? ""));
    }
    assert.ok(
      verdicts.length >= least,
      `${verdicts.length} verdicts, ${errors}`,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
