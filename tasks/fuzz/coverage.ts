// Which blocks of the program's own modules have run: V8's precise block
// coverage, through the inspector that Deno has built in. A look costs a third
// of a millisecond, more than most parsers take for an input, so the loop looks
// once for many inputs, and at each of them alone only where that found a block
// that had never run.

import { Session } from "node:inspector/promises";

interface CoveredFunction {
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

/** Functions that ran, each with a byte for each of its characters: 1 if it ran. */
export type Look = readonly {
  readonly key: string;
  readonly ran: Uint8Array;
}[];

/** Blocks that have run, over all looks. */
export class BlockCoverage {
  readonly #session = new Session();
  readonly #seen = new Map<string, Uint8Array>();

  /** Begins to count; modules that are loaded later are counted too. */
  static async begin(): Promise<BlockCoverage> {
    const coverage = new BlockCoverage();
    const session = coverage.#session;
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", {
      callCount: true,
      detailed: true,
    });
    return coverage;
  }

  /** What ran since the last look. */
  async look(): Promise<Look> {
    const taken = await this.#session.post(
      "Profiler.takePreciseCoverage",
    ) as unknown as {
      result: { url: string; functions: CoveredFunction[] }[];
    };
    return taken.result
      .filter(({ url }) =>
        url.includes("/lib/") && !url.includes("node_modules")
      )
      .flatMap(({ url, functions }) =>
        functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map((one) => ranBlocks(url, one))
      );
  }

  /** Characters of code in a look that had never run before. */
  fresh(look: Look): number {
    let fresh = 0;
    for (const { key, ran } of look) {
      const seen = this.#seen.get(key);
      for (let at = 0; at < ran.length; at++) {
        if (ran[at] === 1 && seen?.[at] !== 1) fresh++;
      }
    }
    return fresh;
  }

  /** From now on these have run. */
  keep(look: Look): void {
    for (const { key, ran } of look) {
      const seen = this.#seen.get(key);
      if (seen === undefined) this.#seen.set(key, ran);
      else for (let at = 0; at < ran.length; at++) seen[at]! |= ran[at]!;
    }
  }

  /** Ends the counting. */
  async end(): Promise<void> {
    await this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }
}

function ranBlocks(
  url: string,
  { ranges }: CoveredFunction,
): { key: string; ran: Uint8Array } {
  const { startOffset, endOffset } = ranges[0]!;
  const ran = new Uint8Array(endOffset - startOffset);
  // Inner ranges come after the outer ones that they refine.
  for (const { startOffset: from, endOffset: to, count } of ranges) {
    ran.fill(count > 0 ? 1 : 0, from - startOffset, to - startOffset);
  }
  return { key: `${url} ${startOffset} ${endOffset}`, ran };
}
