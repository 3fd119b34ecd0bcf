// How the program ends. Deno's own way first runs what native libraries left to
// be done at exit: it takes ONNX Runtime apart while a thread may still compute
// with it, and that thread then reads freed tables (a segmentation fault, in one
// of four exits while a session was being made). Once the engine is loaded, the
// program therefore ends by the C library's `_exit`, which runs nothing more.
// What a run has to keep is synced by then.

let end: (code: number) => void = Deno.exit;

/**
 * Has the program end by `exit`.
 *
 * @param exit Ends the process with a code at once.
 */
export function endBy(exit: (code: number) => void): void {
  end = exit;
}

/** Ends the program. Only main.ts calls it. */
export function endProgram(code: number): never {
  end(code);
  throw new Error("The process goes on after its end");
}
