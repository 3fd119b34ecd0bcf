// What can go wrong between this program and a server, as one exception: thrown
// deep inside reading and answered in one place, where a file's transfer is
// conducted.

/** The kind of fault, which decides whether a retry makes sense. */
export type TransportFaultKind =
  /** No connection: name, route, port or handshake. */
  | "unreachable"
  /** The server's certificate isn't trusted. */
  | "certificate"
  /** The connection ended properly, but too early. */
  | "ended"
  /** The connection broke. */
  | "reset"
  /** No byte for too long. */
  | "idle"
  /** The acquisition's time is over. */
  | "deadline"
  /** The user cancelled. */
  | "cancelled"
  /** The answer isn't HTTP/1.1 as this program reads it. */
  | "protocol";

/** A fault of the connection or of the protocol on it. */
export class TransportFault extends Error {
  override readonly name = "TransportFault";

  /**
   * @param kind What kind of fault it is.
   * @param message Why, as a clause.
   */
  constructor(
    readonly kind: TransportFaultKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
