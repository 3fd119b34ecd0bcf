// The export against two implementations that are not ours. Each must also
// refuse what the format forbids, so that an agreement means something.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import { atifTrajectory } from "../lib/evidence/atif.ts";
import { labTools } from "../lib/lab/lab_tools.ts";
import { generation, HOSTILE, REPAIR, viewedRun } from "./viewed_run.ts";

const PYTHONS = ["python3", "python3.12", "python3.13", "python3.14"];

async function exported(): Promise<JsonObject[]> {
  using good = await viewedRun(REPAIR);
  using hostile = await viewedRun(HOSTILE, { source: "stdio" });
  using cancelled = await viewedRun([REPAIR[0]]);
  using none = await viewedRun([{ failed: "cancelled" }]);
  using unloaded = await viewedRun([], {
    source: "model",
    loaded: { failed: "model_error", detail: "No such file", elapsed_ms: 1 },
  });
  using model = await viewedRun([
    generation(REPAIR[0], { input: 500, output: 12 }),
    generation("```", { input: 600, reused: 384, output: 128, ceiling: true }),
    { failed: "time_limit", detail: "call_expired" },
  ], { source: "model", model: { repository: "a/b" } });
  return [good, hostile, cancelled, none, unloaded, model]
    .map((run) => atifTrajectory(run.view(), labTools()));
}

/** What the format forbids, made out of a good trajectory. */
function broken(good: JsonObject): JsonObject[] {
  const steps = good["steps"] as JsonObject[];
  const changed = (at: number, change: JsonObject) => ({
    ...good,
    steps: steps.map((step, index) =>
      index === at ? { ...step, ...change } : step
    ),
  });
  return [
    { ...good, ours: 1 },
    { ...good, steps: steps.slice(1) },
    changed(0, { tool_calls: [] }),
    changed(2, { metrics: { prompt_tokens: 1 } }),
    changed(2, {
      observation: { results: [{ source_call_id: "no", content: "" }] },
    }),
  ];
}

interface Verdict {
  readonly ok: boolean;
  readonly same?: boolean;
  readonly why?: string;
}

async function python(
  program: string,
  args: readonly string[],
  input = "",
): Promise<{ code: number; out: string; err: string } | null> {
  try {
    const child = new Deno.Command(program, {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    const written = writer.write(new TextEncoder().encode(input))
      .then(() => writer.close())
      // Whoever has ended doesn't read; its exit code says so.
      .catch(() => {});
    const { code, stdout, stderr } = await child.output();
    await written;
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** The first Python that has a package; fails clearly where none has. */
async function pythonWith(name: string, module: string): Promise<string> {
  for (const program of PYTHONS) {
    const tried = await python(program, ["-c", `import ${module}`]);
    if (tried?.code === 0) return program;
  }
  throw new Error(
    `No Python here (${PYTHONS.join(", ")}) can import ${module}: ` +
      `pip install ${name}`,
  );
}

async function assertValidated(program: string, models: string): Promise<void> {
  const good = await exported();
  const bad = broken(good[0]!);
  const input = [...good, ...bad]
    .map((one) => `${JSON.stringify(one)}\n`).join("");
  const script = new URL("validate_atif.py", import.meta.url).pathname;
  const answered = await python(program, [script, models], input);
  assert.equal(answered?.code, 0, answered?.err);
  const verdicts: Verdict[] = answered.out.trim().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    verdicts.slice(0, good.length),
    good.map(() => ({ ok: true, same: true })),
  );
  assert.deepEqual(
    verdicts.slice(good.length).map(({ ok }) => ok),
    bad.map(() => false),
  );
}

Deno.test("atifTrajectory() is what the atif package takes", async () => {
  await assertValidated(await pythonWith("atif==1.8.0", "atif"), "atif");
});

Deno.test("atifTrajectory() is what Harbor's models take", async () => {
  const program = await pythonWith(
    "harbor==0.25.0 (Python 3.12 or newer)",
    "harbor.models.trajectories",
  );
  await assertValidated(program, "harbor");
});
