// Lab Part 10: a core trial's acquisition, as the manifest tells it, in words.

import type { JsonObject } from "../agent/json.ts";

/** How a model was acquired, as a line; null where a manifest doesn't tell. */
export function acquisitionWords(model: JsonObject | null): string | null {
  const told = model?.["acquisition"];
  if (told === null || typeof told !== "object") return null;
  const { elapsed_s, payload_bytes, within_window } = told as JsonObject;
  const taken = typeof elapsed_s === "number"
    ? `${elapsed_s} s`
    : "a time that no clock knows, since the machine was restarted";
  const bytes = typeof payload_bytes === "number" ? payload_bytes : 0;
  const received = bytes === 0
    ? "copied"
    : `${bytes.toLocaleString("en")} bytes received`;
  const began = within_window === true ? "inside" : "after";
  return `${taken}, ${received}; the trial began ${began} its window`;
}
