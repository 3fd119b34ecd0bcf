// The process's own stdin and stdout as a proposer's two streams.

import type { JsonObject } from "../agent/json.ts";
import { StdioSource } from "../source/stdio_source.ts";

/** A proposer on stdin and stdout. */
export interface StdioChannel {
  readonly source: StdioSource;
  /** Passes observations on as they are recorded. */
  onRecord(record: JsonObject): void;
}

/** Takes stdin and stdout for the stdio protocol. */
export function openStdioChannel(
  cancel: (why: string) => void,
): StdioChannel {
  const source = new StdioSource({
    input: Deno.stdin.readable,
    write: async (bytes) => {
      let rest = bytes;
      while (rest.length > 0) {
        rest = rest.subarray(await Deno.stdout.write(rest));
      }
    },
    cancel,
  });
  return {
    source,
    onRecord: ({ event, proposal_number, content }) => {
      if (event !== "observation_made") return;
      const { observation } = content as { observation: JsonObject };
      source.sendObservation(Number(proposal_number), observation);
    },
  };
}
