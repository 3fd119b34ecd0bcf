// deno-lint-ignore-file no-console -- a task speaks on the console
// What a task can't use is one sentence, and no stack trace.

import { KeyRefusal } from "../../lib/evidence/receipts/signing_key.ts";
import { systemCode } from "../../lib/system/error_code.ts";
import { readWords } from "../../lib/system/read_words.ts";

/** Ends the task with a sentence. */
export function end(code: number, sentence: string): never {
  console.error(sentence);
  Deno.exit(code);
}

/**
 * What `make` returns; where the system or a key refuses, the task ends with 3.
 *
 * @param what What then can't be used or made, as half a sentence.
 * @throws Every other error.
 */
export function orEnd<T>(what: string, make: () => T | Promise<T>): Promise<T> {
  return Promise.resolve().then(make).catch((error) => {
    if (error instanceof KeyRefusal) end(3, `${what}: ${error.message}`);
    if (systemCode(error) === null) throw error;
    end(3, `${what}: ${readWords(error)}`);
  });
}
