// The compiled binary, as it would be downloaded: in fresh folders, as root and
// as somebody without any rights, and wherever it is put.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../lib/agent/json.ts";
import { VERSION } from "../lib/system/version.ts";
import {
  converse,
  copyTinyModel,
  NOBODY,
  runBinary,
  type Start,
  TINY_TRIAL,
  type User,
  USERS,
  workingFolder,
} from "./binary_run.ts";
import { compiledBinary } from "./compiled_binary.ts";
import { assertOneError } from "./launched.ts";

for (const user of USERS) {
  Deno.test(`the binary does its work in a fresh folder, as ${user}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const { cwd } = start;

    const version = await runBinary(start, ["--version"]);
    assert.deepEqual(version, { code: 0, out: `${VERSION}\n`, err: "" });
    const help = await runBinary(start, ["--help"]);
    assert.deepEqual([help.code, help.err], [0, ""]);
    assert.match(help.out, /^Usage: tinycoder /);

    await assertBaseline(start, "baseline");
    const shown = await runBinary(start, ["show", "baseline"]);
    assert.deepEqual([shown.code, shown.err], [0, ""]);
    assert.match(shown.out, /finish_accepted/);
    const recovered = await runBinary(start, ["recover", "baseline"]);
    assert.equal(recovered.code, 0, recovered.err);

    const checked = await runBinary(
      start,
      ["check"],
      '{"function":"clamp","expr":"x + 1","inputs":[1,0,5]}\n',
    );
    assert.deepEqual(
      [checked.code, JSON.parse(checked.out)["value"]],
      [0, 2],
    );
    const judged = await runBinary(
      start,
      ["contract", "--check"],
      `{"proposal_base64":"${btoa('{"action":"test"}')}"}\n`,
    );
    assert.deepEqual(JSON.parse(judged.out), {
      ok: true,
      action: { action: "test" },
    });
    // Only what was asked for: no engine, no cache, nothing in a home.
    assert.deepEqual(fs.readdirSync(cwd), ["baseline"]);
  });
}

Deno.test("the binary takes proposals over its streams", async () => {
  const user = USERS.at(-1) ?? "this user";
  using folder = workingFolder(user);
  const start = await placed(folder.path, user);
  const { code, messages, err } = await converse(
    start,
    ["--run", "run", "--source", "stdio", "--quiet"],
    baseline,
  );
  assert.equal(code, 0, err);
  assert.deepEqual(messages.map(({ type }) => type), [
    "hello",
    ...baseline.flatMap(() => ["request", "observation"]),
    "final",
  ]);
  const final = messages.at(-1)?.["final"] as JsonObject;
  assert.deepEqual(final, readJson(`${start.cwd}/run/final.json`));
  assert.deepEqual(
    [final["source"], final["stop_reason"], final["verified_success"]],
    ["stdio", "finish_accepted", true],
  );
});

for (const user of USERS) {
  Deno.test(`the binary runs a model, with its engine in a private folder, as ${user}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    copyTinyModel(start.cwd);
    const made = await runBinary(start, [...TINY_TRIAL, "--json", "--quiet"]);
    assert.equal(made.code, 0, made.err);
    const final = JSON.parse(made.out);
    assert.deepEqual(
      [final["source"], final["extension"], final["core_trial"]],
      ["model", "a test", false],
    );
    // Random weights propose nothing that the contract admits, twice.
    assert.deepEqual(
      [final["stop_reason"], final["model_calls"]],
      ["invalid_proposal_limit", 2],
    );
    const verified = await runBinary(start, ["verify", "trial"]);
    assert.equal(verified.code, 0, verified.out + verified.err);
    const engine = `${start.cwd}/.tinycoder-engine`;
    assert.equal(fs.statSync(engine).mode & 0o777, 0o700);
    assert.deepEqual(fs.readdirSync(start.cwd).sort(), [
      ".tinycoder-engine",
      "tiny",
      "tiny.json",
      "trial",
    ]);
  });

  Deno.test(`the binary passes its own selftest, as ${user}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const { code, out, err } = await runBinary(start, ["selftest"]);
    assert.equal(code, 0, out.slice(-2_000) + err);
    assert.match(out, /\b0 failed\b/);
    assert.deepEqual(fs.readdirSync(start.cwd), []);
  });

  Deno.test(`the binary prepares, reports, signs and submits, as ${user}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const done = async (...args: readonly string[]) => {
      const { code, out, err } = await runBinary(start, args);
      assert.equal(code, 0, `${args.join(" ")}: ${out}${err}`);
      return out;
    };
    const findings: { about: string; verdict: string }[] =
      JSON.parse(await done("doctor", "--json"))["findings"];
    assert.deepEqual(
      findings.filter(({ verdict }) => verdict === "stop"),
      [],
    );
    // The rights that the binary has, by what it may not do.
    assert.equal(
      findings.find(({ about }) => about === "Permissions")?.verdict,
      "ok",
    );
    assert.match(await done("plan"), /\b999,597,691\b/);
    assert.match(await done("licenses"), /Deno/);
    await done("predict", ...PREDICTIONS);
    await assertBaseline(start, "baseline");
    await done("report", "baseline", "--out", "baseline.html");
    const page = fs.readFileSync(`${start.cwd}/baseline.html`, "utf8");
    assert.match(page, /finish_accepted/);
    assert.match(await done("submission", "baseline"), /finish_accepted/);
    await done("keygen", "signer");
    await done("sign", "baseline", "--key", "signer");
    await done("verify", "baseline", "--public-key", "signer.pub");
    await done("replay", "baseline", "--run", "again");
    assert.deepEqual(fs.readdirSync(start.cwd).sort(), [
      "again",
      "baseline",
      "baseline.html",
      "predictions.json",
      "signer",
      "signer.pub",
    ]);
    assert.equal(fs.statSync(`${start.cwd}/signer`).mode & 0o777, 0o600);
    fs.appendFileSync(`${start.cwd}/again/audit.jsonl`, "{}\n");
    const altered = await runBinary(start, ["verify", "again"]);
    assert.equal(altered.code, 4, altered.out + altered.err);
  });
}

Deno.test("the binary refuses what lies outside the folder it is started in", async () => {
  const user = USERS.at(-1) ?? "this user";
  using folder = workingFolder(user);
  const start = await placed(folder.path, user);
  await assertBaseline(start, "baseline");
  fs.mkdirSync(`${start.cwd}/below`);
  fs.symlinkSync("../baseline", `${start.cwd}/below/link`);
  const below: Start = { ...start, cwd: `${start.cwd}/below` };
  for (const run of ["../baseline", `${start.cwd}/baseline`, "link"]) {
    const left = await runBinary(below, ["show", run]);
    assertOneError(left, 3, `"${run}"`, "does not lie below");
  }
  const left = await runBinary(below, ["--run", "../another"]);
  assertOneError(left, 3, '"../another"', "does not lie below");
  assert.deepEqual(fs.readdirSync(start.cwd).sort(), ["baseline", "below"]);
});

Deno.test("the binary's controller has no way out of its run's folder", async () => {
  using folder = workingFolder("this user");
  const start = await placed(folder.path, "this user");
  await assertBaseline(start, "baseline");
  const { enforced } = readJson(`${start.cwd}/baseline/manifest.json`);
  const walls = Object.keys(enforced as JsonObject);
  for (const wall of ["net", "env", "sys", "run", "ffi"]) {
    assert.ok(walls.includes(wall), wall);
  }
  assert.deepEqual(
    enforced,
    Object.fromEntries(walls.map((wall) => [wall, "denied"])),
  );
});

Deno.test("the binary takes nothing from the folder for temporary files", async () => {
  using folder = workingFolder("this user");
  const start = await placed(folder.path, "this user");
  const temporary = `${folder.path}/temporary`;
  // The program's own files seem to lie below it, in a folder of this name.
  const own = `${temporary}/deno-compile-tinycoder`;
  fs.mkdirSync(own, { recursive: true });
  for (const place of [temporary, own]) {
    fs.writeFileSync(`${place}/package.json`, "no JSON");
    fs.writeFileSync(`${place}/deno.json`, "no JSON");
    fs.writeFileSync(`${place}/main.ts`, "Deno.exit(99);");
  }
  const before = fs.readdirSync(temporary, { recursive: true });
  await assertBaseline({ ...start, temporary }, "baseline");
  assert.deepEqual(fs.readdirSync(temporary, { recursive: true }), before);
});

/** Answers to the lab's five predictions, as options. */
const PREDICTIONS = [
  ["--valid-json", "yes"],
  ["--both-repaired", "no"],
  ["--fails-first", "format"],
  ["--baseline-passes", "yes"],
  ["--forbidden", "It is refused"],
].flat();

/** Places that a binary may be installed in. */
const PLACES: readonly {
  readonly what: string;
  readonly user: User;
  /** Puts it somewhere below a folder; how it is started. */
  readonly install: (folder: string, binary: string) => Partial<Start>;
}[] = [
  {
    what: "through a link",
    user: "this user",
    install: (folder, binary) => {
      fs.symlinkSync(binary, `${folder}/link`);
      return { program: `${folder}/link` };
    },
  },
  {
    what: "from the PATH",
    user: "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/bin`);
      fs.symlinkSync(binary, `${folder}/bin/tinycoder`);
      return { program: "tinycoder", path: `${folder}/bin:/usr/bin:/bin` };
    },
  },
  {
    what: "in a folder with a space and a letter beyond ASCII",
    user: "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/mes outils d'été`);
      const program = `${folder}/mes outils d'été/tinycoder`;
      fs.copyFileSync(binary, program);
      return { program };
    },
  },
  {
    what: "in its own current folder",
    user: "this user",
    install: (folder, binary) => {
      fs.copyFileSync(binary, `${folder}/work/tinycoder`);
      return { program: "./tinycoder" };
    },
  },
  {
    what: "in a folder that nobody may write, owned by somebody else",
    user: USERS.at(-1) ?? "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/bin`);
      const program = `${folder}/bin/tinycoder`;
      fs.copyFileSync(binary, program);
      fs.chmodSync(program, 0o555);
      fs.chmodSync(`${folder}/bin`, 0o555);
      return { program };
    },
  },
];

for (const { what, user, install } of PLACES) {
  Deno.test(`the binary works ${what}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const here = {
      ...start,
      ...install(folder.path, await compiledBinary()),
    };
    const before = fs.readdirSync(start.cwd);
    await assertBaseline(here, "baseline");
    assert.deepEqual(
      fs.readdirSync(start.cwd).sort(),
      [...before, "baseline"].sort(),
    );
    if (here.program.includes("/bin/")) {
      assert.deepEqual(fs.readdirSync(`${folder.path}/bin`), ["tinycoder"]);
      fs.chmodSync(`${folder.path}/bin`, 0o755);
    }
  });
}

/** An empty current folder below `folder`, and a binary that `user` can run. */
async function placed(folder: string, user: User): Promise<Start> {
  fs.chmodSync(folder, 0o755);
  const cwd = `${folder}/work`;
  fs.mkdirSync(cwd);
  let program = await compiledBinary();
  if (user === "nobody") {
    fs.chownSync(cwd, NOBODY, NOBODY);
    // The checkout may lie where nobody else may look.
    fs.mkdirSync(`${folder}/program`);
    fs.copyFileSync(program, `${folder}/program/tinycoder`);
    program = `${folder}/program/tinycoder`;
  }
  return { program, cwd, user };
}

/** Conducts a baseline, and asserts that its evidence is whole. */
async function assertBaseline(start: Start, run: string): Promise<void> {
  const made = await runBinary(start, ["--run", run, "--quiet"]);
  assert.deepEqual([made.code, made.err], [0, ""]);
  const final = readJson(`${start.cwd}/${run}/final.json`);
  assert.deepEqual(
    [final["source"], final["stop_reason"], final["verified_success"]],
    ["scripted", "finish_accepted", true],
  );
  const verified = await runBinary(start, ["verify", run]);
  assert.equal(verified.code, 0, verified.out + verified.err);
}

function readJson(path: string): JsonObject {
  return JSON.parse(fs.readFileSync(path, "utf8"));
}
