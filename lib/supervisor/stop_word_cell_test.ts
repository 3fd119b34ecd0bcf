import assert from "node:assert/strict";
import { StopWordCell } from "./stop_word_cell.ts";

const words = ["cancelled", "call_expired", "run_expired"] as const;

Deno.test("StopWordCell holds no word at first", () => {
  assert.equal(new StopWordCell().get(), null);
});

Deno.test("StopWordCell.set() keeps the first word, and returns the one that counts", () => {
  for (const first of words) {
    for (const second of words) {
      const cell = new StopWordCell();
      assert.deepEqual(
        [cell.set(first), cell.set(second), cell.get()],
        [first, first, first],
      );
    }
  }
});

Deno.test("StopWordCell is one word on every thread", async () => {
  /** What another thread reads, tries to write, and reads. */
  const elsewhere = async (cell: StopWordCell) => {
    const worker = new Worker(
      new URL("../../tests/workers/first_word_wins.ts", import.meta.url),
      { type: "module" },
    );
    const answer = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(cell.buffer);
    const words = await answer;
    worker.terminate();
    return words;
  };
  const written = new StopWordCell();
  written.set("cancelled");
  assert.deepEqual(await elsewhere(written), [
    "cancelled",
    "cancelled",
    "cancelled",
  ]);
  const empty = new StopWordCell();
  assert.deepEqual(await elsewhere(empty), [
    null,
    "run_expired",
    "run_expired",
  ]);
  assert.equal(empty.set("cancelled"), "run_expired");
});
