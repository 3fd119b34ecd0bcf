// Completion for zsh, by its own `_arguments`.

import type { CompletedCommand, CompletedOption } from "./words.ts";

/** A script for zsh, to be kept as `_tinycoder` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const [run, ...others] = commands;
  const described = others.map(({ name, summary }) =>
    `    ${quoted(`${name}:${summary}`)}`
  );
  const branches = others.map((command) =>
    `      ${command.name}) _arguments -s ${argumentsOf(command)} ;;`
  );
  return `#compdef tinycoder
# zsh completion for tinycoder
_tinycoder() {
  local curcontext=$curcontext state line
  local -a commands=(
${described.join("\n")}
  )
  _arguments -s -C ${(run?.options ?? []).map(optionSpec).join(" ")} \\
    '1: :->command' '*:: :->rest'
  case $state in
  command) _describe command commands ;;
  rest)
    curcontext=\${curcontext%:*}-$words[1]:
    case $words[1] in
${branches.join("\n")}
    esac ;;
  esac
}
if [ "$funcstack[1]" = _tinycoder ]; then
  _tinycoder "$@"
else
  compdef _tinycoder tinycoder
fi
`;
}

function argumentsOf(
  { options, choices, takesOperand }: CompletedCommand,
): string {
  const specs = options.map(optionSpec);
  if (choices.length > 0) specs.push(quoted(`*: :(${choices.join(" ")})`));
  else if (takesOperand) specs.push(quoted("*: :_files"));
  return specs.join(" ");
}

function optionSpec(option: CompletedOption): string {
  const { words, description, takesValue, choices } = option;
  const value = !takesValue
    ? ""
    : choices.length > 0
    ? `: :(${choices.join(" ")})`
    : ": :_files";
  return words.map((word) =>
    quoted(`${word}[${description.replace(/[[\]:\\]/g, "\\$&")}]${value}`)
  ).join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
