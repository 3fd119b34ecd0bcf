// Where in a run which act happens. Source, files, gate and recorder say which
// point they have come to; the stage knows what a scenario wants done there.

import type { Act, InjectedAct, Point } from "./format.ts";

/** Does a scenario's acts at their points, each once. */
export class Stage {
  /** Number of the proposal that is being worked at. */
  proposal = 1;
  readonly #pending: InjectedAct[];
  readonly #perform: (act: Act) => void;
  #performed = 0;

  constructor(
    injected: readonly InjectedAct[],
    perform: (act: Act) => void,
  ) {
    this.#pending = [...injected];
    this.#perform = perform;
  }

  /** Acts done so far. */
  get performed(): number {
    return this.#performed;
  }

  /** Acts whose point no run has come to. */
  get pending(): readonly InjectedAct[] {
    return this.#pending;
  }

  /** Does what is to be done at this point. */
  reach(point: Point): void {
    const due = this.#pending.filter((injected) =>
      injected.point === point &&
      (!("proposal" in injected) || injected.proposal === this.proposal)
    );
    for (const injected of due) {
      this.#pending.splice(this.#pending.indexOf(injected), 1);
      this.#performed++;
      this.#perform(injected.does);
    }
  }
}
