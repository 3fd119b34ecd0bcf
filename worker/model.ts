// Entry of the model worker. It may read the model folder, load one verified
// native file and see one environment variable; nothing else.

import { serveModel } from "../lib/model/serve_model.ts";

// The libraries print whole inputs when a call fails, and a library that a
// process leaves while it computes prints false alarms: the worker reports its
// failures itself, and says nothing else.
for (const method of ["debug", "log", "info", "warn", "error"] as const) {
  // deno-lint-ignore no-console
  console[method] = () => {};
}
// With a location a worker is taken for a browser's.
delete (globalThis as { location?: unknown }).location;

serveModel(globalThis as unknown as Parameters<typeof serveModel>[0]);
