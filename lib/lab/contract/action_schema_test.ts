import assert from "node:assert/strict";
import { z } from "../../system/zod.ts";
import type { Action } from "./action.ts";
import { ACTION_SCHEMA } from "./action_schema.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;

type Flat<T> = T extends unknown ? { readonly [Key in keyof T]: T[Key] }
  : never;

Deno.test("Action is the union of lab Part 5", () => {
  type Written =
    | { readonly action: "read"; readonly file: "TASK.txt" | "toy_math.py" }
    | {
      readonly action: "replace";
      readonly function: "clamp" | "total";
      readonly old: string;
      readonly new: string;
      readonly version: number;
    }
    | { readonly action: "test" }
    | { readonly action: "finish"; readonly version: number };
  // The compiler is the test: it refuses anything but `true` here.
  const equal: Equal<Flat<Action>, Flat<Written>> = true;
  assert.equal(equal, true);
});

Deno.test("ACTION_SCHEMA refuses keys and values outside its branch", () => {
  const good = { action: "finish", version: 2 };
  assert.deepEqual(ACTION_SCHEMA.parse(good), good);
  for (
    const bad of [
      { action: "finish", version: 2, file: "TASK.txt" },
      { action: "finish", version: 2, ["__proto__"]: {} },
      { action: "finish" },
      { action: "finish", version: 2.5 },
      { action: "finish", version: "2" },
      { action: "Finish", version: 2 },
      { version: 2 },
      ["finish"],
      null,
    ]
  ) {
    assert.equal(
      ACTION_SCHEMA.safeParse(bad).success,
      false,
      JSON.stringify(bad),
    );
  }
});

Deno.test("ACTION_SCHEMA makes no code from text", () => {
  assert.equal(z.config().jitless, true);
});
