// Where the real program refuses to make a run's folder: each with one clear
// error, exit code 3, and nothing left behind. And where it doesn't refuse.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { assertOneError, tinycoder, type Wrapping } from "./launched.ts";

/** One refused folder; paths of `make` count from the current folder's parent. */
interface Refused {
  readonly what: string;
  readonly run: string;
  readonly says: readonly string[];
  /** Folders (ending in "/"), links ("from -> to") and files to make first. */
  readonly make?: readonly string[];
  /** Current folder, below the fresh one; `here` if absent. */
  readonly cwd?: string;
  readonly within?: readonly string[];
}

const IN_A_REPOSITORY = "it lies inside the repository";

const REFUSED: readonly Refused[] = [
  {
    what: "an existing folder",
    run: "run",
    make: ["here/run/"],
    says: ["it exists already"],
  },
  {
    what: "an existing file",
    run: "run",
    make: ["here/run"],
    says: ["it exists already"],
  },
  {
    what: "a link to nowhere",
    run: "run",
    make: ["here/run -> nowhere"],
    says: ["it exists already"],
  },
  {
    what: "a parent that isn't there",
    run: "runs/one",
    says: ['its parent "runs" does not exist', 'mkdir -p "runs"'],
  },
  {
    what: "a parent that is a file",
    run: "runs/one",
    make: ["here/runs"],
    says: ['"runs" is not a folder'],
  },
  {
    what: "a parent that is a link",
    run: "runs/one",
    make: ["here/real/", "here/runs -> real"],
    says: ['"runs" is a link'],
  },
  {
    what: "a grandparent that is a link",
    run: "runs/deep/one",
    make: ["here/real/deep/", "here/runs -> real"],
    says: ['"runs" is a link'],
  },
  {
    what: "the current folder",
    run: ".",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "no name at all",
    run: "",
    says: ["its name is empty"],
  },
  {
    what: "the folder above",
    run: "..",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "a folder beside",
    run: "../beside",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "a way out and back in",
    run: "../here/run",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "the root",
    run: "/",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "an absolute path elsewhere",
    run: "/nowhere/run",
    says: ["it does not lie below the current folder"],
  },
  {
    what: "a name with a line feed",
    run: "a\nb",
    says: ['"a\\u{a}b"', "characters that can't be shown"],
  },
  {
    what: "a name that turns the reading order",
    run: "a\u202eb",
    says: ['"a\\u{202e}b"', "characters that can't be shown"],
  },
  {
    what: "a name that reads as an option",
    run: "--quiet",
    says: ["its name reads as an option"],
  },
  {
    what: "a name of 256 bytes",
    run: "n".repeat(256),
    says: ["the name is too long"],
  },
  {
    what: "a path of 5,000 parts",
    run: "p/".repeat(5_000),
    says: ['its parent "p" does not exist'],
  },
  {
    what: "a model folder",
    run: "model/run",
    make: ["here/model/", "here/model/model.safetensors"],
    says: ['"model" is a model folder (model.safetensors exists)'],
  },
  {
    what: "an acquisition",
    run: "model/run",
    make: ["here/model/", "here/model/acquisition.json"],
    says: ['"model" is a model folder (acquisition.json exists)'],
  },
  {
    what: "another run's folder",
    run: "run/run",
    make: ["here/run/", "here/run/audit.jsonl"],
    says: [`"run" is another run's folder`],
  },
  ...[".git/", ".git", ".hg/", ".svn/", ".jj/", ".git -> gone"].flatMap(
    (mark): Refused[] => {
      const [name = ""] = mark.split(/\/| -> /);
      return [
        {
          what: `the top of a repository (${mark})`,
          run: "run",
          make: [`here/${mark}`],
          says: [`${IN_A_REPOSITORY} "." (${name} exists)`],
        },
        {
          what: `a repository above (${mark})`,
          run: "run",
          make: [mark],
          says: [`${IN_A_REPOSITORY} ".." (../${name} exists)`],
        },
        {
          what: `a repository between (${mark})`,
          run: "sub/deep/run",
          make: ["here/sub/deep/", `here/sub/${mark}`],
          says: [`${IN_A_REPOSITORY} "sub" (${name} exists)`],
        },
      ];
    },
  ),
  ...["", "sub/"].map((below): Refused => ({
    what: `a bare repository (${below || "here"})`,
    run: `${below}run`,
    make: ["HEAD", "objects/", "refs/"].map((mark) => `here/${below}${mark}`)
      .toReversed(),
    says: [`inside the bare repository "${below ? "sub" : "."}"`],
  })),
  ...[".git", ".tinycoder-engine"].map(
    (name): Refused => ({
      what: `a name that has a meaning (${name})`,
      run: name,
      says: [`"${name}" has a meaning of its own`],
    }),
  ),
  {
    what: "a name of spaces",
    run: "  ",
    says: ["nothing but spaces"],
  },
  {
    what: "a current folder at the root",
    cwd: "/",
    run: "run",
    says: ['the current folder is "/"'],
  },
  {
    what: "a parent that may not be written",
    run: "run",
    make: ["here/"],
    within: asSomebodyWithout("write"),
    says: ["the folder around it may not be written"],
  },
  {
    what: "a parent that may not be searched",
    run: "sub/run",
    make: ["here/sub/"],
    within: asSomebodyWithout("search", "sub"),
    says: ["a folder that it lies in may not be entered"],
  },
  {
    what: "a parent that may be written and not read",
    run: "run",
    make: ["here/"],
    within: asSomebodyWithout("read"),
    says: ["the folder around it may not be read"],
  },
];

/** Starts a program for which a folder's mode binds, as it doesn't bind root. */
function asSomebodyWithout(
  right: "read" | "write" | "search",
  folder = ".",
): string[] {
  const mode = { read: "0333", write: "0555", search: "0000" }[right];
  const withoutPower = "exec setpriv " +
    '--bounding-set=-dac_override,-dac_read_search,-fowner "$@"';
  const script = Deno.uid() === 0
    ? `chown 65534 ${folder} && chmod ${mode} ${folder} && ${withoutPower}`
    : `chmod ${mode} ${folder} && exec "$@"`;
  return ["sh", "-c", script, "sh"];
}

function make(folder: string, entries: readonly string[]): void {
  for (const entry of entries) {
    const [path = "", target] = entry.split(" -> ");
    if (target !== undefined) fs.symlinkSync(target, `${folder}/${path}`);
    else if (path.endsWith("/")) {
      fs.mkdirSync(`${folder}/${path}`, { recursive: true });
    } else fs.writeFileSync(`${folder}/${path}`, "");
  }
}

for (const { what, run, says, make: entries = [], cwd, within } of REFUSED) {
  Deno.test(`tinycoder --run refuses ${what}`, async () => {
    using folder = freshFolder();
    make(folder.path, ["here/", ...entries]);
    const before = entriesOf(folder.path);
    const here = cwd ?? `${folder.path}/here`;
    const wrapping: Wrapping = within === undefined ? {} : { within };
    const left = await tinycoder(here, ["--run", run], wrapping);
    assertOneError(left, 3, "Cannot create the run folder", ...says);
    assert.ok(left.err.length < 800, `${left.err.length} characters`);
    fs.chmodSync(`${folder.path}/here`, 0o700);
    if (what.includes("searched")) {
      fs.chmodSync(`${folder.path}/here/sub`, 0o700);
    }
    assert.deepEqual(entriesOf(folder.path), before);
  });
}

function entriesOf(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true }).map(String).sort();
}

Deno.test("tinycoder --run refuses a current folder 17 levels deep, not 16", async () => {
  using folder = freshFolder();
  const levels = folder.path.split("/").length - 1;
  const deep = folder.path + "/d".repeat(17 - levels);
  fs.mkdirSync(deep, { recursive: true });
  const left = await tinycoder(deep, ["--run", "run", "--quiet"]);
  assertOneError(left, 3, "more than 16 folders deep");
  assert.deepEqual(contentsOf(deep), {});
  const above = await tinycoder(deep.slice(0, -"/d".length), [
    "--run",
    "run",
    "--quiet",
  ]);
  assert.equal(above.code, 0, above.err);
});

for (
  const [what, name] of [
    ["an absolute path below the current folder", "$PWD/run"],
    ["a path with dots and slashes to spare", ".//./run/"],
    ["a name with spaces and quotes", `it's "a run"`],
    ["a name of 255 bytes", "n".repeat(255)],
    ["a name in another script", "прогон"],
  ] as const
) {
  Deno.test(`tinycoder --run takes ${what}`, async () => {
    using folder = freshFolder();
    const typed = name.replace("$PWD", folder.path);
    const left = await tinycoder(folder.path, ["--run", typed, "--quiet"]);
    assert.equal(left.code, 0, left.err);
    assert.equal(fs.readdirSync(folder.path).length, 1);
    const [made = ""] = fs.readdirSync(folder.path);
    assert.equal(fs.statSync(`${folder.path}/${made}`).mode & 0o777, 0o700);
  });
}

Deno.test("tinycoder --run makes its folder and files for their owner alone", async () => {
  using folder = freshFolder();
  const within = ["sh", "-c", 'umask 0; exec "$@"', "sh"];
  const args = ["--run", "run", "--quiet"];
  assert.equal((await tinycoder(folder.path, args, { within })).code, 0);
  for (const name of ["run", ...Object.keys(contentsOf(folder.path))]) {
    const stat = fs.statSync(`${folder.path}/${name}`);
    assert.equal(
      (stat.mode & 0o777).toString(8),
      stat.isDirectory() ? "700" : "600",
      name,
    );
  }
});
