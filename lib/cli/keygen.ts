// `tinycoder keygen KEY`: a pair of Ed25519 keys, never over anything, and never
// where they would spoil evidence or be committed to a repository.

import {
  generateKeys,
  keyIdOf,
  readPublicKey,
} from "../evidence/receipts/signing_key.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { createOrNothing, removeQuietly } from "../system/create_or_nothing.ts";
import { diskFiles } from "../system/files.ts";
import { planFreshFolder } from "../system/fresh_folder.ts";
import { systemWords } from "../system/system_words.ts";
import type { Invocation } from "./command.ts";
import { quoteTyped } from "./quote_typed.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";

/** Writes KEY (0600, private) and KEY.pub (0644, to be given away). */
export async function keygen(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const typedPublic = `${typed}.pub`;
  const path = plannedPath(typed);
  const publicPath = plannedPath(typedPublic);
  const { privatePem, publicPem } = await generateKeys();
  const keyId = await keyIdOf(await readPublicKey(publicPem));
  // The public half first: where it can't be written no private key is left.
  create(publicPath, publicPem, typedPublic);
  try {
    share(publicPath, typedPublic);
    create(path, privatePem, typed);
  } catch (error) {
    removeQuietly(diskFiles, publicPath);
    throw error;
  }
  tellDone(
    terminal,
    options["json"]
      ? `${
        JSON.stringify({
          key_id: keyId,
          private_key: typed,
          public_key: typedPublic,
        })
      }\n`
      : `Private key  ${typed}  (keep it; whoever has it signs in your name)\n` +
        `Public key   ${typedPublic}\n` +
        `Key id       ${keyId}\n`,
    `The keys are made: ${typed} and ${typedPublic}, key id ${keyId}.`,
  );
  return EXIT.done;
}

/**
 * Absolute path of a key's file, checked as every fresh folder's is; such a name
 * can be shown as it is.
 */
function plannedPath(typed: string): string {
  const [why, next] = typed === "" || typed === ".pub"
    ? ["its name is empty", "Give the private key's file a name."]
    : /\/\.?(\.pub)?$/.test(typed)
    ? ["it names a folder", "Give the private key's file a name."]
    : [null, ""];
  if (why !== null) throw refusal(typed, why, next);
  return planFreshFolder(diskFiles, typed, "key").path;
}

function create(path: string, pem: string, typed: string): void {
  try {
    createOrNothing(diskFiles, path, new TextEncoder().encode(pem));
  } catch (error) {
    const { why, next } = systemWords(error);
    throw refusal(typed, why, next, error);
  }
}

/** Lets everybody read a file. */
function share(path: string, typed: string): void {
  try {
    Deno.chmodSync(path, 0o644);
  } catch (error) {
    const { why, next } = systemWords(error);
    throw refusal(typed, why, next, error);
  }
}

function refusal(
  typed: string,
  why: string,
  next: string,
  cause?: unknown,
): CommandError {
  return new CommandError(EXIT.refused, {
    what: `Cannot create the key ${quoteTyped(typed)}`,
    why,
    next,
  }, cause);
}
