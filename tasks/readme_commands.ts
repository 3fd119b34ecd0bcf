// The commands that the README tells its reader to type.

/**
 * Command lines in the README's `sh` blocks, in order, without their comments.
 *
 * @param readme The README's text.
 */
export function readmeCommands(readme: string): string[] {
  return [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap((
    [, block = ""],
  ) =>
    block.split("\n")
      .map((line) => line.replace(/(^|\s+)#.*$/, "").trim())
      .filter((line) => line !== "")
  );
}

/**
 * Every `tinycoder …` in the README's running text, generated sections left out:
 * those come from the table of commands itself.
 */
export function readmeMentions(readme: string): string[] {
  const text = readme
    .replace(/<!-- generated: [^]*?<!-- end of [a-z]+ -->/g, "")
    .replace(/^```[^]*?^```$/gm, "");
  return [...text.matchAll(/`(tinycoder\s[^`]+)`/g)]
    .map(([, words = ""]) => words.replace(/\s+/g, " "));
}
