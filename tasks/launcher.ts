// The launcher's text, from the table of permissions.

import { RIGHTS } from "../lib/system/permissions.ts";

/** Folders of a checkout that the program reads its own parts from. */
const OWN_PARTS = ["lib", "worker", "fixtures", "node_modules"];

/** The text of `tasks/tinycoder`. */
export function launcherText(denoVersion: string): string {
  const flags = RIGHTS.map(({ kind, scope }) => {
    const own = kind === "read"
      ? OWN_PARTS.map((part) => `$here/${part},`).join("")
      : "";
    return `  --allow-${kind}="${own}${scope.join(",")}" \\`;
  });
  return `#!/bin/sh
# tinycoder from a checkout, with exactly the binary's permissions, in the folder
# where it is called. Written by \`deno task generate\`; don't edit.
set -eu
here=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
case $here in *,*)
  echo "Cannot start tinycoder: its folder's name has a comma, which Deno's permission flags can't hold." >&2
  echo "Move the checkout to a folder without one." >&2
  exit 3 ;;
esac
deno=$(command -v deno || true)
if [ -z "$deno" ] || [ "$("$deno" -V 2>/dev/null)" != "deno ${denoVersion}" ]; then
  # npm's deno package starts Deno through Node; take Deno itself, so that
  # signals and exit codes are its own.
  found=$(npx --yes --package=deno@${denoVersion} -c 'command -v deno')
  deno=$found
  for native in "$(dirname -- "$found")"/../@deno/*/deno; do
    if [ -x "$native" ]; then deno=$native; fi
  done
fi
# Deno would ask its own server for a newer version in any run over half a second.
export DENO_NO_UPDATE_CHECK=1
# Dependencies that are in place stay untouched, so that a user who may not write
# the checkout can run it.
modules=auto
if [ "$here/node_modules/.deno" -nt "$here/deno.lock" ]; then
  modules=manual
elif [ ! -w "$here" ]; then
  echo "Cannot start tinycoder: its packages are not installed as deno.lock has them, and you may not write its checkout." >&2
  echo "Have whoever may write it run, in it: npx --yes deno@${denoVersion} install --frozen" >&2
  exit 3
fi
exec "$deno" run --quiet --no-check --no-prompt --config "$here/deno.json" \\
  --node-modules-dir=$modules --no-remote \\
${flags.join("\n")}
  "$here/main.ts" "$@"
`;
}
