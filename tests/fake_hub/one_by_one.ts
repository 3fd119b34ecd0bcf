// Checks inside a namespace, each in a fresh folder, and their verdicts one JSON
// line each for the test outside.

/** One check's verdict. */
export interface Verdict {
  readonly name: string;
  /** Null where the check holds. */
  readonly fault: string | null;
}

/** Conducts checks one after the other, in folders below `work`. */
export async function oneByOne(
  work: string,
  checks: Iterable<readonly [name: string, check: () => Promise<void>]>,
): Promise<void> {
  for (const [name, check] of checks) {
    const folder = await Deno.makeTempDir({ dir: work });
    Deno.chdir(folder);
    let fault: string | null = null;
    try {
      await check();
    } catch (error) {
      fault = error instanceof Error ? error.stack ?? error.message : "unknown";
    }
    const verdict: Verdict = { name, fault };
    const line = new TextEncoder().encode(`${JSON.stringify(verdict)}\n`);
    Deno.stdout.writeSync(line);
    Deno.chdir(work);
    await Deno.remove(folder, { recursive: true });
  }
}
