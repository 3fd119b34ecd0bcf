// A disk that fails says so by an error of the system; what enters the evidence
// is a sentence that names the file.

import { systemCode } from "../system/error_code.ts";
import { readWords } from "../system/read_words.ts";
import { ModelRefusal, refuse } from "./model_refusal.ts";

/**
 * Does what reads a file of the model folder.
 *
 * @param what What is read, as a sentence begins.
 * @throws {ModelRefusal} Where the system can't read it.
 */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ModelRefusal || systemCode(error) === null) {
      throw error;
    }
    refuse(`${what} can't be read: ${readWords(error)}`);
  }
}
