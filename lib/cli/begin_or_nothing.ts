// A run's folder is there before its trial begins: what refuses the trial in
// between takes the folder away again, so that its name isn't used up.

import { CommandError } from "../system/command_error.ts";

/**
 * Begins something in a folder that was just made.
 *
 * @param folder Its real path; removed where the beginning is refused, if
 *   nothing lies in it.
 * @throws What `begin` throws.
 */
export function beginOrNothing<Begun>(
  begin: () => Begun,
  folder: string,
): Begun {
  try {
    return begin();
  } catch (error) {
    if (error instanceof CommandError) removeEmpty(folder);
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    Deno.removeSync(folder);
  } catch {
    // What refused the beginning is what the user must hear of.
  }
}
