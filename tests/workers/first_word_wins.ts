// A thread that tries to write a stop word of its own, and says which counts.

import { StopWordCell } from "../../lib/supervisor/stop_word_cell.ts";

self.onmessage = ({ data }: MessageEvent<SharedArrayBuffer>) => {
  const cell = new StopWordCell(data);
  self.postMessage([cell.get(), cell.set("run_expired"), cell.get()]);
};
