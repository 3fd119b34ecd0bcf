// The names of the formats that have a schema, apart from the schemas: the
// command table needs no more.

/** What `tinycoder schema` can be asked for. */
export const SCHEMA_NAMES = [
  "manifest",
  "record",
  "events",
  "final",
  "verification",
  "replay",
  "run-view",
  "comparison",
  "attestation",
  "statement",
  "observation",
  "stdio",
] as const;
