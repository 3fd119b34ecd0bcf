// The JSON data model (RFC 8259), as types. Everything that crosses a thread,
// a file or a prompt is of these.

/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}
