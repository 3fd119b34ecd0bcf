// Lab Part 9: the terminal states that this task adds to the loop's own.

/** Terminal states of the lab task. */
export type LabStop =
  | "finish_accepted"
  | "context_limit"
  | "observation_limit"
  | "workspace_conflict";
