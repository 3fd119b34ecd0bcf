// deno-lint-ignore-file no-console -- a task speaks on the console
// What the tests need beyond Node: found, or installed where that can be done
// (Debian, as root). Whatever stays missing makes its tests fail, by name.

const TOOLS: Readonly<Record<string, string>> = {
  python3: "python3 python3-venv",
  strace: "strace",
  unshare: "util-linux",
  setpriv: "util-linux",
  mkfifo: "coreutils",
  openssl: "openssl",
  ip: "iproute2",
  chromium: "chromium",
};

/** Independent implementations that the tests hold this program against. */
const PYTHON_PACKAGES = [
  "atif==1.8.0",
  "harbor==0.25.0",
  "jiter==0.19.0",
  "securesystemslib[crypto]==1.6.0",
];

/**
 * Prepares this machine for the tests.
 *
 * @returns Folders to put before `PATH`.
 */
export async function prepareTests(): Promise<string[]> {
  const missing = Object.keys(TOOLS).filter((tool) => !succeeds("which", tool));
  if (missing.length > 0) {
    console.log(`Installing for the tests: ${missing.join(", ")}`);
    const packages = missing.flatMap((tool) => TOOLS[tool]?.split(" ") ?? []);
    const installed = succeeds("apt-get", "update", "-qq") &&
      succeeds(
        "apt-get",
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        ...packages,
      );
    if (!installed) {
      console.error(
        `These can't be installed here, and their tests will fail: ${
          missing.join(", ")
        }`,
      );
    }
  }
  const python = await pythonFolder();
  return python === null ? [] : [python];
}

/** Folder of a Python that has the packages, made once and kept. */
async function pythonFolder(): Promise<string | null> {
  const home = Deno.env.get("XDG_CACHE_HOME") ??
    `${Deno.env.get("HOME")}/.cache`;
  const folder = `${home}/tinycoder-tests/${
    PYTHON_PACKAGES.join("_").replaceAll(/[^a-z0-9._]/g, "-")
  }`;
  const bin = `${folder}/bin`;
  const ready = () =>
    succeeds(
      `${bin}/python3`,
      "-c",
      "import atif, harbor, jiter, securesystemslib",
    );
  if (ready()) return bin;
  const python = newestPython();
  if (python === null) {
    console.error(
      "There is no Python 3.12 or newer; the tests that need one will fail.",
    );
    return null;
  }
  console.log("Installing Python packages for the tests (about 430 MB)");
  await Deno.mkdir(`${home}/tinycoder-tests`, { recursive: true });
  const made = succeeds(python, "-m", "venv", "--clear", folder) &&
    succeeds(
      `${bin}/python3`,
      "-m",
      "pip",
      "install",
      "-q",
      ...PYTHON_PACKAGES,
    );
  if (made && ready()) return bin;
  console.error("They can't be installed here, and their tests will fail.");
  return null;
}

/** A Python from 3.12 on, the system's or one of a version manager's. */
function newestPython(): string | null {
  const candidates = ["python3", "python3.14", "python3.13", "python3.12"];
  const managed = `${Deno.env.get("HOME")}/.pyenv/versions`;
  try {
    const versions = [...Deno.readDirSync(managed)].map(({ name }) => name);
    candidates.push(
      ...versions.sort().reverse().map((one) =>
        `${managed}/${one}/bin/python3`
      ),
    );
  } catch {
    // There is no version manager.
  }
  const check = "import sys, venv; sys.exit(sys.version_info < (3, 12))";
  return candidates.find((python) => succeeds(python, "-c", check)) ?? null;
}

function succeeds(command: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(command, {
      args: [...args],
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).outputSync().success;
  } catch {
    return false;
  }
}
