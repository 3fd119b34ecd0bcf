// Why there is no binary.

/** Thrown where a binary can't be made; the message says why. */
export class NotBuilt extends Error {
  override readonly name = "NotBuilt";
}
