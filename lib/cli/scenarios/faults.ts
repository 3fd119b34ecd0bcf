// I/O faults that a scenario's acts arm, and that the operation they name meets.

import type { Act } from "./format.ts";

/** A fault as a scenario gives it. */
export type Fault = Extract<Act, { act: "fault" }>;

/** The faults of one run. */
export class ArmedFaults {
  readonly #armed: { readonly fault: Fault; met: number }[] = [];

  /** From now on the fault waits for its operation. */
  arm(fault: Fault): void {
    this.#armed.push({ fault, met: 0 });
  }

  /** Faults that no operation has met. */
  get unmet(): readonly Fault[] {
    return this.#armed.filter(({ met }) => met === 0).map(({ fault }) => fault);
  }

  /**
   * Does an operation, or fails as an armed fault says.
   *
   * @param file The path, below the run's folder.
   * @throws What `work` throws, or the fault, with its system code.
   */
  run<T>(operation: Fault["operation"], file: string, work: () => T): T {
    const fault = this.take(operation, file);
    if (fault === null) return work();
    if (fault.performed) work();
    throw Object.assign(new Error(`A fault of the scenario: ${fault.code}`), {
      code: fault.code,
    });
  }

  /** The fault that waits for an operation, which is taken to have met it. */
  take(operation: Fault["operation"], file: string): Fault | null {
    const armed = this.#armed.find(({ fault, met }) =>
      fault.operation === operation && fault.file === file && met < fault.times
    );
    if (armed === undefined) return null;
    armed.met++;
    return armed.fault;
  }
}
