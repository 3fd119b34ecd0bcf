import assert from "node:assert/strict";
import { counted } from "./counted.ts";

Deno.test("counted() gives one thing its own noun, and groups thousands", () => {
  assert.deepEqual(
    [
      counted(0, "record"),
      counted(1, "record"),
      counted(2, "record"),
      counted(1_234, "entry", "entries"),
      counted(1, "entry", "entries"),
    ],
    ["0 records", "1 record", "2 records", "1,234 entries", "1 entry"],
  );
});
