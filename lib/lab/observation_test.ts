import assert from "node:assert/strict";
import {
  bounded,
  MAX_OBSERVATION_BYTES,
  refusal,
  stopped,
  success,
} from "./observation.ts";

/** An observation whose JSON has so many bytes, made of this character. */
function ofBytes(bytes: number, character: string) {
  const around = { ok: true, action: "read", version: 4, content: "" };
  const size = new TextEncoder().encode(character).length;
  const free = bytes - JSON.stringify(around).length;
  const padding = "-".repeat(free % size);
  return {
    ...around,
    content: padding + character.repeat(Math.floor(free / size)),
  };
}

Deno.test("success() counts as valid, and ends the run where it says so", () => {
  const observation = { ok: true, action: "test" };
  assert.deepEqual(success(observation), { observation, counts: "valid" });
  assert.deepEqual(success(observation, "finish_accepted"), {
    observation,
    counts: "valid",
    stop: "finish_accepted",
  });
});

Deno.test("refusal() counts as invalid, and names the action where there is one", () => {
  const refused = {
    error: "stale_version",
    message: "It is 1",
    version: 1,
  } as const;
  assert.deepEqual(refusal({ ...refused, action: "finish" }), {
    observation: { ok: false, action: "finish", ...refused },
    counts: "invalid",
  });
  assert.deepEqual(refusal(refused), {
    observation: { ok: false, ...refused },
    counts: "invalid",
  });
});

Deno.test("stopped() counts neither way, and ends the run", () => {
  const refused = {
    action: "replace",
    error: "time_limit",
    message: "Too late",
    version: 2,
  } as const;
  const outcome = {
    observation: { ok: false, ...refused },
    counts: "neutral",
    stop: "time_limit",
  };
  assert.deepEqual(stopped(refused, "time_limit"), outcome);
  assert.deepEqual(stopped(refused, "time_limit", "run_expired"), {
    ...outcome,
    detail: "run_expired",
  });
});

Deno.test("bounded() lets 2,048 UTF-8 bytes pass, and stops at 2,049", () => {
  assert.equal(MAX_OBSERVATION_BYTES, 2_048);
  for (const character of ["a", "é", "\u{1f600}"]) {
    const fits = {
      observation: ofBytes(2_048, character),
      counts: "valid",
    } as const;
    assert.equal(bounded(fits), fits);
    assert.deepEqual(
      bounded({ observation: ofBytes(2_049, character), counts: "valid" }),
      {
        observation: {
          ok: false,
          action: "read",
          error: "observation_limit",
          message: "The observation would take 2049 bytes; the most is 2048",
          version: 4,
        },
        counts: "neutral",
        stop: "observation_limit",
      },
    );
  }
});

Deno.test("bounded() bounds success() and refusal(), and needs no action", () => {
  assert.equal(success(ofBytes(2_048, "a")).stop, undefined);
  assert.equal(success(ofBytes(2_049, "a")).stop, "observation_limit");
  const { observation, stop } = refusal({
    error: "invalid_json",
    message: "m".repeat(2_048),
    version: 3,
  });
  assert.equal(stop, "observation_limit");
  assert.deepEqual(Object.keys(observation), [
    "ok",
    "error",
    "message",
    "version",
  ]);
  assert.equal(observation["version"], 3);
});
