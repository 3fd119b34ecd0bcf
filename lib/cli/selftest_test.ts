import assert from "node:assert/strict";
import { launch, leftBy, OWN_MOUNTS, tinycoder } from "../../tests/launched.ts";
import { scenarioFolder } from "../../tests/scenario_tools.ts";
import { readScenarios } from "./scenarios/catalogue.ts";
import { missingTool } from "./scenarios/outside.ts";

const SYMLINK = "this program has no right to make symbolic links";
const FIFO = "a FIFO is made by another program, and this one starts none";
/** What the program's own rights let an outsider do. */
const ITS_TOOLS = { symlink: SYMLINK, hard_link: () => {}, fifo: FIFO };

Deno.test("selftest() runs every check with the program's own rights, and tells which it can't", async () => {
  using folder = scenarioFolder();
  const { code, out, err } = await tinycoder(folder.path, [
    "selftest",
    "--json",
  ]);
  assert.deepEqual([code, err], [0, ""]);
  const scenarios = readScenarios().map((scenario) => {
    const { name, shows } = scenario;
    const reason = missingTool(scenario, ITS_TOOLS);
    return reason === null
      ? { name, shows, outcome: "passed" }
      : { name, shows, outcome: "skipped", reason };
  });
  const skipped = scenarios.filter(({ outcome }) => outcome === "skipped");
  assert.ok(skipped.length > 0);
  const run = scenarios.length - skipped.length;
  assert.deepEqual(JSON.parse(out), {
    run,
    passed: run,
    failed: 0,
    skipped: skipped.length,
    not_run: 0,
    kept: null,
    scenarios,
  });
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("selftest() keeps its folder when it is asked to, and says how many checks it ran", async () => {
  using folder = scenarioFolder();
  const { code, out, err } = await tinycoder(folder.path, [
    "selftest",
    "--keep",
  ]);
  assert.deepEqual([code, err], [0, ""]);
  const [kept, ...others] = [...Deno.readDirSync(folder.path)];
  assert.ok(kept !== undefined && others.length === 0);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines.at(-1), `Their folders are kept in ${kept.name}/`);
  const reasons = new Set(
    readScenarios().map((scenario) => missingTool(scenario, ITS_TOOLS))
      .filter((reason) => reason !== null),
  );
  assert.equal(
    (lines.at(-2) ?? "").replace(
      /^\d+ checks were run: \d+ passed, 0 failed\. \d+ were skipped: /,
      "",
    ),
    `${[...reasons].join("; ")}. In the project's sources, "deno task test" ` +
      "runs these too.",
  );
  assert.equal(lines.length - 3, readScenarios().length);
  const names = [...Deno.readDirSync(`${folder.path}/${kept.name}`)]
    .map(({ name }) => name).sort();
  assert.deepEqual(names, readScenarios().map(({ name }) => name));
});

Deno.test("selftest() is refused inside a repository, and too deep to look for one", async () => {
  using folder = scenarioFolder();
  const deep = `${folder.path}${"/d".repeat(20)}`.split("/")
    .slice(0, 16).join("/");
  Deno.mkdirSync(deep, { recursive: true });
  const refused = await tinycoder(deep, ["selftest"]);
  assert.equal(refused.code, 3);
  assert.match(refused.err, /lies 15 folders deep, and the checks need 2 more/);

  Deno.mkdirSync(`${folder.path}/.git`);
  const { code, err } = await tinycoder(folder.path, ["selftest"]);
  assert.equal(code, 3);
  assert.match(err, /it lies inside the repository "\." \(\.git exists\)/);
});

Deno.test("selftest() ends at a signal, and leaves nothing", async () => {
  using folder = scenarioFolder();
  const child = launch(folder.path, ["selftest"]);
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGINT");
  reader.releaseLock();
  const { code, out } = await leftBy(child);
  assert.equal(code, 130, out);
  const [, left] =
    /^Stopped: (\d+) checks more would have come\.$/m.exec(out) ??
      assert.fail(out);
  // The first check was read from the stream before.
  const told = out.match(/^(passed|skipped) /gm)?.length ?? 0;
  assert.equal(told + 1 + Number(left), readScenarios().length);
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

/** Runs the checks on a disk of some size. */
const ON_A_SMALL_DISK = `set -eu
mount -t tmpfs -o "size=$1" tmpfs disk
cd disk
shift
exec "$@"
`;

for (const size of ["64k", "320k"]) {
  Deno.test(`selftest() ends with one error on a disk of ${size}`, async () => {
    using folder = scenarioFolder();
    Deno.mkdirSync(`${folder.path}/disk`);
    const { code, out, err } = await tinycoder(folder.path, ["selftest"], {
      within: [...OWN_MOUNTS, "sh", "-c", ON_A_SMALL_DISK, "sh", size],
    });
    assert.equal(code, 3, err);
    assert.doesNotMatch(out, /FAILED/);
    assert.equal(
      err,
      "Cannot go on with the checks: the disk is full.\nFree some space, or " +
        "choose another disk. What was checked until then counts for nothing.\n",
    );
  });
}
