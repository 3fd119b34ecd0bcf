// The launcher's text, from the table of permissions.

import { RIGHTS } from "../lib/system/permissions.ts";

/** Folders of a checkout that the program reads its own parts from. */
const OWN_PARTS = ["lib", "worker", "fixtures", "node_modules"];

/**
 * All that the program is given of the caller's environment: any other variable
 * may make Deno or a native library run, write or reach what no command does.
 */
const KEPT_VARIABLES: readonly string[] = [
  ...["PATH", "HOME", "TMPDIR", "TERM", "NO_COLOR"],
  // Where Deno keeps its packages.
  ...["DENO_DIR", "XDG_CACHE_HOME"],
  // By which way and from whom they come, and whom that way may trust.
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["NPM_CONFIG_REGISTRY", "DENO_CERT", "DENO_TLS_CA_STORE"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
];

/** The text of `tasks/tinycoder`. */
export function launcherText(denoVersion: string): string {
  const flags = RIGHTS.map(({ kind, scope }) => {
    const own = kind === "read"
      ? OWN_PARTS.map((part) => `$here/${part},`).join("")
      : "";
    return `  --allow-${kind}="${own}${scope.join(",")}" \\`;
  });
  const kept = KEPT_VARIABLES.map((name) =>
    `    \${${name}+"${name}=$${name}"} \\`
  );
  return `#!/bin/sh
# tinycoder from a checkout, with exactly the binary's permissions, in the folder
# where it is called. Written by \`deno task generate\`; don't edit.
set -eu
# Deno would write the result to nowhere, and call that done.
if ! command : 2>/dev/null 3>&1; then
  echo "Cannot start tinycoder: its standard output is closed, so the result would be lost." >&2
  echo "Let the output go somewhere, if only to /dev/null." >&2
  exit 3
fi
# Of these two Deno would speak in words of its own.
if [ -z "$(pwd -P 2>/dev/null || true)" ]; then
  echo "Cannot start tinycoder: the current folder is gone." >&2
  echo "Change to a folder that exists." >&2
  exit 3
fi
case "$*" in *[!\\ -~]*)
  if command -v iconv >/dev/null &&
    ! printf '%s' "$*" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; then
    echo "Cannot start tinycoder: an argument is no UTF-8 text." >&2
    echo "Give files and folders names that are UTF-8." >&2
    exit 2
  fi ;;
esac
here=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
case $here in *,*)
  echo "Cannot start tinycoder: its folder's name has a comma, which Deno's permission flags can't hold." >&2
  echo "Move the checkout to a folder without one." >&2
  exit 3 ;;
esac
# Starts a program with these of the environment's variables and no other, which
# could make Deno run, write or reach what no command of tinycoder does. A shell
# comes between, since env would take a path with a "=" for a variable.
#
# Deno would ask its own server for a newer version in any run over half a second.
only() {
  exec env -i DENO_NO_UPDATE_CHECK=1 RUST_BACKTRACE=0 \\
${kept.join("\n")}
    sh -c 'exec "$@"' sh "$@"
}
# It takes no colours, and Deno doesn't ask.
if [ "\${TERM-}" = dumb ]; then export NO_COLOR=1; fi
deno=$(command -v deno || true)
if [ -z "$deno" ] || [ "$(only "$deno" -V 2>/dev/null)" != "deno ${denoVersion}" ]; then
  # npm's deno package starts Deno through Node; take Deno itself, so that
  # signals and exit codes are its own.
  found=$(npx --yes --package=deno@${denoVersion} -c 'command -v deno')
  deno=$found
  for native in "$(dirname -- "$found")"/../@deno/*/deno; do
    if [ -x "$native" ]; then deno=$native; fi
  done
fi
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
only "$deno" run --quiet --no-check --no-prompt --config "$here/deno.json" \\
  --node-modules-dir=$modules --no-remote \\
${flags.join("\n")}
  "$here/main.ts" "$@"
`;
}
