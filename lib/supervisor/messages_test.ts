import assert from "node:assert/strict";
import { isFromController } from "./messages.ts";

Deno.test("isFromController() knows a controller's messages by their type", () => {
  const types = [
    "hello",
    "record",
    "load",
    "count_tokens",
    "propose",
    "ended",
    "failed",
  ];
  assert.deepEqual(
    types.map((type) => isFromController({ type })),
    types.map(() => true),
  );
  const others = [
    null,
    undefined,
    "hello",
    ["hello"],
    {},
    { type: 1 },
    { type: "start" },
    { type: "toString" },
    { type: "__proto__" },
  ];
  assert.deepEqual(others.map(isFromController), others.map(() => false));
});
