// A count in a message: one of something is never "1 records".

/** A count with its noun. */
export function counted(
  count: number,
  one: string,
  many: string = `${one}s`,
): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
