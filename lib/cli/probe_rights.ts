// Which rights the whole program has beyond its table, by trying: a flag that was
// left out or ignored would otherwise go unnoticed.

import type { PermissionKind } from "../system/permissions.ts";

/** One attempt beyond the program's rights. */
export interface RightProbe {
  readonly kind: PermissionKind | "run";
  /** What was tried, as in "reading outside the current folder". */
  readonly what: string;
  readonly denied: boolean;
}

/**
 * Tries what the program must not be able to do. None of the attempts leaves
 * anything behind where it succeeds.
 */
export function probeRights(): RightProbe[] {
  const attempts: readonly (readonly [
    RightProbe["kind"],
    string,
    () => unknown,
  ])[] = [
    ["read", "reading outside the current folder", () => Deno.lstatSync("/")],
    [
      "write",
      "writing outside the current folder",
      () => Deno.removeSync("/tinycoder-absent/absent"),
    ],
    [
      "net",
      "other network addresses",
      () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    ],
    ["env", "the environment", () => Deno.env.get("HOME")],
    ["sys", "the machine's name", () => Deno.hostname()],
    [
      "run",
      "other programs",
      () => new Deno.Command("/tinycoder-absent/absent").outputSync(),
    ],
    [
      "ffi",
      "other native libraries",
      () => Deno.dlopen("/tinycoder-absent/absent.so", {}),
    ],
  ];
  return attempts.map(([kind, what, attempt]) => {
    let denied = false;
    try {
      attempt();
    } catch (error) {
      denied = error instanceof Deno.errors.NotCapable;
    }
    return { kind, what, denied };
  });
}
