// Key files on the command line.

import { KeyRefusal, MAX_KEY_BYTES } from "../evidence/receipts/signing_key.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { errorCode, type Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { quoteTyped } from "./quote_typed.ts";

/**
 * Reads a key from a PEM file.
 *
 * @param typed The file, as the user named it.
 * @param parse Makes a key of the file's text.
 * @throws {CommandError} where there is no such key.
 */
export async function readKeyFile<Key>(
  files: Files,
  typed: string,
  parse: (pem: string) => Promise<Key>,
): Promise<Key> {
  const refuse = (why: string, next: string) =>
    new CommandError(EXIT.refused, {
      what: `Cannot use the key ${quoteTyped(typed)}`,
      why,
      next,
    });
  if (typed === "") {
    throw refuse("its name is empty", "Give the name of a key file.");
  }
  let text: string;
  try {
    const file = files.open(files.realPath(typed));
    try {
      const { kind } = file.facts();
      if (kind !== "file") {
        throw refuse(
          kind === "directory" ? "it is a folder" : "it is a special file",
          "Give the name of a key file.",
        );
      }
      const bytes = file.read(MAX_KEY_BYTES + 1);
      if (bytes.length > MAX_KEY_BYTES) {
        throw new KeyRefusal("it is too long for a key");
      }
      text = new TextDecoder().decode(bytes);
    } finally {
      file.close();
    }
    return await parse(text);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof KeyRefusal) {
      throw refuse(
        error.message,
        'Give an unencrypted Ed25519 key in PEM; "tinycoder keygen KEY" ' +
          "makes a pair.",
      );
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw refuse(
        "it does not lie below the current folder",
        "Change to a folder that holds it and the run.",
      );
    }
    throw refuse(
      errorCode(error) === "ENOENT"
        ? "there is no such file"
        : readWords(error),
      "Give a key file that you may read.",
    );
  }
}
