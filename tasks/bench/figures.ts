// deno-lint-ignore-file no-console -- a task speaks on the console
// How measured figures are summed up and shown.

/** The middle one of the values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Least and most, in milliseconds. */
export function spread(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(0)} to ${
    Math.max(...values).toFixed(0)
  } ms`;
}

/** The first's median as a multiple of the second's. */
export function ratio(a: readonly number[], b: readonly number[]): string {
  return `ratio ${(median(a) / median(b)).toFixed(2)}`;
}

/** Milliseconds, as far as they mean something. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** A number with its thousands apart. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** One line of a table. */
export function row(name: string, value: string, note: string): void {
  console.log(`  ${name.padEnd(34)}${value.padStart(12)}   ${note}`.trimEnd());
}
