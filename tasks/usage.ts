// deno-lint-ignore-file no-console -- a task speaks on the console
// A task's arguments. Its usage stands once, in its own first lines, after
// "usage: ", and is what is printed where the arguments are wrong.

import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** What was typed for a task. */
export interface Typed<Options extends ParseArgsOptionsConfig> {
  readonly operands: readonly string[];
  readonly options: ReturnType<
    typeof parseArgs<{ options: Options; allowPositionals: true }>
  >["values"];
}

/** One task's own usage, and what was typed for it. */
export class TaskUsage {
  readonly text: string;

  /** @param url Address of the task's module: `import.meta.url`. */
  constructor(url: string) {
    this.text = usageIn(Deno.readTextFileSync(new URL(url)));
  }

  /**
   * The operands that were typed; ends the program where there are too few, too
   * many, or options.
   */
  operands(least: number, most: number): readonly string[] {
    return this.read([least, most], {}).operands;
  }

  /** {@link operands}, and the options that are declared as for `parseArgs`. */
  read<const Options extends ParseArgsOptionsConfig>(
    [least, most]: readonly [least: number, most: number],
    options: Options,
  ): Typed<Options> {
    const { positionals: operands, values } = this.#parsed(options);
    if (operands.length < least) this.refuse("An argument is missing");
    if (operands.length > most) {
      this.refuse(`There is no place for ${quoted(operands[most])}`);
    }
    return { operands, options: values };
  }

  #parsed<const Options extends ParseArgsOptionsConfig>(options: Options) {
    try {
      return parseArgs({ args: Deno.args, options, allowPositionals: true });
    } catch (error) {
      const [why = ""] = String(Error.isError(error) ? error.message : error)
        .split(/\.|\n/);
      return this.refuse(why);
    }
  }

  /**
   * A number that was typed; ends the program where it is none.
   *
   * @param otherwise Where nothing was typed.
   * @param least The smallest that means something.
   */
  whole(
    name: string,
    typed: string | undefined,
    otherwise: number,
    least = 1,
  ): number {
    if (typed === undefined) return otherwise;
    const value = /^\d{1,9}$/.test(typed) ? Number(typed) : NaN;
    if (value >= least) return value;
    return this.refuse(
      `${name} is a whole number from ${least} on, not ${quoted(typed)}`,
    );
  }

  /** {@link whole}, but any number above zero, such as `0.5`. */
  positive(
    name: string,
    typed: string | undefined,
    otherwise: number,
  ): number {
    if (typed === undefined) return otherwise;
    const value = /^\d{1,6}(\.\d{1,6})?$/.test(typed) ? Number(typed) : NaN;
    return value > 0
      ? value
      : this.refuse(`${name} is a number above 0, not ${quoted(typed)}`);
  }

  /** One of several words; ends the program where it is none of them. */
  oneOf<Word extends string>(
    name: string,
    typed: string | undefined,
    words: readonly Word[],
  ): Word {
    return words.find((word) => word === typed) ??
      this.refuse(
        `${name} is one of ${words.join(", ")}, not ${quoted(typed)}`,
      );
  }

  /** A folder or a file; ends the program where it isn't there. */
  present(
    name: string,
    typed: string | undefined,
    kind: "folder" | "file",
  ): string {
    const path = typed ?? "";
    try {
      const { isDirectory, isFile } = Deno.statSync(path);
      if (kind === "folder" ? isDirectory : isFile) return path;
    } catch {
      // Said below.
    }
    return this.refuse(`${name} is a ${kind}, and ${quoted(path)} is none`);
  }

  /** Ends the program with 2: why in one sentence, and the usage. */
  refuse(why: string): never {
    console.error(`${why}.\nusage: ${this.text}`);
    Deno.exit(2);
  }
}

/**
 * The usage in a task's first lines: from "usage: " to the next empty one.
 *
 * @throws {Error} where there is none.
 */
export function usageIn(source: string): string {
  const [, usage] = /^\/\/ usage: (.+(?:\n\/\/ .+)*)$/m.exec(source) ?? [];
  if (usage === undefined) throw new Error("The task doesn't say its usage");
  return usage.replaceAll("\n// ", "\n");
}

function quoted(typed: string | undefined): string {
  return typed === undefined ? "nothing" : JSON.stringify(typed);
}
