// A name in a command line that somebody is told to type.

/** A text as one word of a POSIX shell, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
