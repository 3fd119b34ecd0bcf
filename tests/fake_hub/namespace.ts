// The real URLs without the real network: a program runs in a network and mount
// namespace of its own, in which the hub's names lead to this machine.

import { type Authority, makeAuthority } from "./authority.ts";

/** Names that lead to the fake hub, refused ones included. */
const HUB_NAMES = [
  "huggingface.co",
  "cdn-lfs.huggingface.co",
  "us.aws.cdn.hf.co",
  "huggingface.co.example",
  "xhf.co",
  "hf.co",
  "a.b.hf.co",
];

/** A namespace, ready to run programs in. */
export interface Namespace {
  readonly folder: string;
  /**
   * A folder in memory, of 64 MB, that only programs inside see; below it
   * `small`, with room for 6 MB, and `fixed`, which can't be written.
   */
  readonly work: string;
  readonly authority: Authority;
  /** A command inside the namespace; `env` is added to an empty environment. */
  command(
    program: string,
    args: readonly string[],
    options?: {
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly stdin?: "null" | "piped";
    },
  ): Deno.Command;
}

/**
 * Prepares a namespace.
 *
 * @param folder A fresh folder for what it needs.
 * @throws {Error} if this machine doesn't let its user make namespaces.
 */
export async function makeNamespace(folder: string): Promise<Namespace> {
  const authority = await makeAuthority(folder);
  const hosts = `${folder}/hosts`;
  await Deno.writeTextFile(
    hosts,
    `127.0.0.1 localhost ${HUB_NAMES.join(" ")}\n`,
  );
  const work = `${folder}/work`;
  await Deno.mkdir(work);
  const enter = [
    ...(Deno.uid() === 0 ? [] : ["--map-root-user"]),
    "--net",
    "--mount",
    "sh",
    "-ec",
    `ip link set lo up; mount --bind "$1" /etc/hosts; ` +
    `mount -t tmpfs -o size=256m none "$2"; mkdir "$2/small" "$2/fixed"; ` +
    `mount -t tmpfs -o size=6m none "$2/small"; ` +
    `mount -t tmpfs -o ro none "$2/fixed"; shift 2; exec "$@"`,
    "sh",
    hosts,
    work,
  ];
  const command: Namespace["command"] = (program, args, options = {}) =>
    new Deno.Command("unshare", {
      args: [...enter, program, ...args],
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
        HOME: folder,
        DENO_DIR: Deno.env.get("DENO_DIR") ??
          `${Deno.env.get("HOME")}/.cache/deno`,
        DENO_CERT: authority.authority,
        DENO_NO_UPDATE_CHECK: "1",
        NO_COLOR: "1",
        ...options.env,
      },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdin: options.stdin ?? "null",
      stdout: "piped",
      stderr: "piped",
    });
  const probe = await command("true", []).output().catch((error) => error);
  if (!("success" in probe) || !probe.success) {
    const why = "stderr" in probe
      ? new TextDecoder().decode(probe.stderr)
      : String(probe);
    throw new Error(
      "These tests need a network namespace of their own, and this machine " +
        `does not allow one (unshare, ip and mount, as root): ${why}`,
    );
  }
  return { folder, work, authority, command };
}
