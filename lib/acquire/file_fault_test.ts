import assert from "node:assert/strict";
import { pinnedPlan } from "./checkpoint_plan.ts";
import { faultRefusal, transportFileFault } from "./file_fault.ts";
import { TransportFault } from "./transport_fault.ts";

Deno.test("faultRefusal() speaks of the retry as the file's requests left it", () => {
  const [file] = pinnedPlan().files;
  const fault = transportFileFault(
    new TransportFault("unreachable", "the name is not known"),
  );
  const again = "Check the connection, then run the same command again";
  const next = (requests: number, retryLeft: boolean) =>
    faultRefusal(fault, file!, { requests, retryLeft, shownAs: "qwen" }).next;
  assert.deepEqual([next(0, true), next(1, true), next(2, false)], [
    `${again}. No request was made for this file, so its retry is not used`,
    `${again}: each file has one retry`,
    "Its one retry is used up. Get the missing files by other means into a " +
    'folder DIR, then run "tinycoder acquire --directory qwen --from DIR"',
  ]);
});
