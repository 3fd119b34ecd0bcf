// Completion for bash. Where it offers nothing, readline offers paths.

import type { CompletedCommand } from "./words.ts";

/** A script for bash, to be sourced. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name !== "");
  const values = commands.flatMap(({ name, options }) =>
    options.filter(({ takesValue }) => takesValue).map(({ words, choices }) =>
      `    ${words.map((word) => `${name}:${word}`).join("|")}) ` +
      `words="${choices.join(" ")}" ;;`
    )
  );
  const words = commands.map(({ name, options, choices }) => {
    const offered = [...choices, ...(name === "" ? names : [])];
    return `      ${name === "" ? '""' : name}) ` +
      `options="${options.flatMap((option) => option.words).join(" ")}" ` +
      `words="${offered.join(" ")}" ;;`;
  });
  return `# bash completion for tinycoder
_tinycoder() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command="" word words="" options="" value=yes
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
    ${names.join("|")}) command=$word; break ;;
    esac
  done
  case $command:$previous in
${values.join("\n")}
    *) value=no ;;
  esac
  if [ "$value" = no ]; then
    case $command in
${words.join("\n")}
    esac
    case $current in
      -*) words=$options ;;
    esac
  fi
  # Also for bash 3, which macOS has.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tinycoder tinycoder
`;
}
