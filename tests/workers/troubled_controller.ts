// A controller that doesn't do its work, in the way that its start says.

import type { ToController } from "../../lib/supervisor/messages.ts";

/** How it fails. */
export type Trouble =
  | { readonly kind: "crash" }
  | { readonly kind: "says"; readonly message: unknown }
  /** Holds its thread until this word is set and notified. */
  | { readonly kind: "hang"; readonly until: SharedArrayBuffer }
  | { readonly kind: "silence" };

self.onmessage = ({ data }: MessageEvent<ToController<Trouble>>) => {
  if (data.type === "greeting") return self.postMessage({ type: "hello" });
  if (data.type !== "start") return;
  switch (data.start.kind) {
    case "crash":
      throw new Error("out of order");
    case "says":
      return self.postMessage(data.start.message);
    case "hang":
      Atomics.wait(new Int32Array(data.start.until), 0, 0);
      return;
    case "silence":
      return;
  }
};
