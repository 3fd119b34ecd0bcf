// What is enforced is tried, not assumed: a runtime that ignored a worker's
// permissions would otherwise go unnoticed.

/** What a controller must not be able to do. */
export const WALLS = [
  "read_outside",
  "write_outside",
  "net",
  "env",
  "sys",
  "run",
  "ffi",
] as const;

/** One attempt beyond the controller's room. */
type Attempt = readonly [name: typeof WALLS[number], attempt: () => unknown];

/**
 * Tries, from inside a controller, what it must not be able to do. None of the
 * attempts leaves anything behind where it succeeds.
 *
 * @param folder The only folder that it may read and write.
 */
export function probeRoom(
  folder: string,
): Record<string, "denied" | "not_enforced"> {
  const attempts: readonly Attempt[] = [
    ["read_outside", () => Deno.lstatSync(`${folder}/..`)],
    ["write_outside", () => Deno.removeSync(`${folder}/../${folder}/absent`)],
    ["net", () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close()],
    ["env", () => Deno.env.get("HOME")],
    ["sys", () => Deno.osRelease()],
    ["run", () => new Deno.Command("absent/absent").outputSync()],
    ["ffi", () => Deno.dlopen("absent/absent.so", {})],
  ];
  return Object.fromEntries(attempts.map(([name, attempt]) => {
    try {
      attempt();
      return [name, "not_enforced"];
    } catch (error) {
      return [
        name,
        error instanceof Deno.errors.NotCapable ? "denied" : "not_enforced",
      ];
    }
  }));
}
