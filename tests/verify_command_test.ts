// verify, replay, keygen and sign as a user calls them.

import assert from "node:assert/strict";
import { freshFolder } from "./baseline_in_process.ts";
import { assertOneError, tinycoder } from "./launched.ts";
import { readRunFiles } from "./memory_files.ts";
import { chainAnew, linesOf, parsed } from "./mutants.ts";
import { UNSAFE_CHARACTER } from "./viewed_run.ts";

/** A folder that holds one baseline run. */
async function withBaseline(): Promise<ReturnType<typeof freshFolder>> {
  const fresh = freshFolder();
  const { code, err } = await tinycoder(fresh.path, [
    "--run",
    "baseline",
    "--quiet",
  ]);
  assert.equal(code, 0, err);
  return fresh;
}

const TABLE = `  manifest            16  holds
  files                5  holds
  records             32  holds
  facts                7  holds
  derived events      25  holds
  recovery             0  none
  final report        23  holds
  backups              2  holds
  workspace            2  holds
`;

Deno.test("verify prints a table and one verdict, and exits with 0", async () => {
  using fresh = await withBaseline();
  const { code, out, err } = await tinycoder(fresh.path, [
    "verify",
    "baseline",
  ]);
  assert.deepEqual([code, err], [0, ""]);
  assert.ok(out.startsWith(TABLE), out);
  assert.match(
    out.slice(TABLE.length),
    new RegExp(
      "^Proposals from the scripted baseline; no model was called\\. Stopped " +
        "by finish_accepted: a finish was accepted\\. Verified success: yes\\.\n" +
        "The evidence of run [0-9a-f-]{36} holds\\.\n$",
    ),
  );
});

Deno.test("verify says what the run was: recovered, replayed, without success", async () => {
  using fresh = await withBaseline();
  const run = (...args: string[]) => tinycoder(fresh.path, args);
  const was = async (name: string) => {
    const { source, core_trial, extension, recovered, ...rest } = JSON.parse(
      (await run("verify", name, "--json")).out,
    );
    const { stop_reason, verified_success } = rest;
    return {
      ...{ source, core_trial, extension, recovered },
      ...{ stop_reason, verified_success },
    };
  };
  const baseline = {
    source: "scripted",
    core_trial: false,
    extension: null,
    recovered: false,
    stop_reason: "finish_accepted",
    verified_success: true,
  };
  assert.deepEqual(await was("baseline"), baseline);
  await run("replay", "baseline", "--run", "again");
  const { run_id } = JSON.parse(
    Deno.readTextFileSync(`${fresh.path}/baseline/manifest.json`),
  );
  const extension = `Replay of run ${run_id}`;
  assert.deepEqual(await was("again"), {
    ...baseline,
    source: "recorded",
    extension,
  });
  const again = await run("verify", "again");
  assert.ok(again.out.includes(`\nProposals from recorded. An extension: `));
  assert.ok(again.out.includes(`${extension}. Stopped by finish_accepted:`));

  const path = `${fresh.path}/baseline/audit.jsonl`;
  const { lines } = linesOf(Deno.readFileSync(path));
  Deno.writeTextFileSync(path, `${lines.slice(0, 9).join("\n")}\n`);
  Deno.removeSync(`${fresh.path}/baseline/final.json`);
  const unfinished = await run("verify", "baseline");
  assert.equal(unfinished.code, 4);
  assert.match(unfinished.out, /closes it, and writes into its folder\n/);
  assert.ok(Object.values(await was("baseline")).every((one) => one === null));
  // Stands for the version of the file that this run never came to.
  Deno.writeTextFileSync(
    `${fresh.path}/baseline/workspace/toy_math.py`,
    Deno.readTextFileSync(`${fresh.path}/baseline/backups/toy_math.py.v0`),
  );
  Deno.removeSync(`${fresh.path}/baseline/backups`, { recursive: true });
  const recovery = await run("recover", "baseline");
  assert.match(recovery.err, / · the files are as last recorded\n/);
  assert.deepEqual(await was("baseline"), {
    ...baseline,
    recovered: true,
    stop_reason: "harness_error",
    verified_success: false,
  });
  assert.match(
    (await run("verify", "baseline")).out,
    new RegExp(
      "Stopped by harness_error: its process ended from outside, or died\\. " +
        "Closed by recovery\\. Verified success: no\\.\nThe evidence of run",
    ),
  );
});

Deno.test("verify says the first difference, and exits with 4", async () => {
  using fresh = await withBaseline();
  const source = `${fresh.path}/baseline/workspace/toy_math.py`;
  Deno.writeTextFileSync(source, "x\n");
  const text = await tinycoder(fresh.path, ["verify", "baseline"]);
  assert.equal(text.code, 4);
  assert.match(
    text.out,
    new RegExp(
      "  workspace            1  fails\n" +
        "First difference: workspace/toy_math\\.py\n" +
        "  Its bytes aren't those of the run's receipts\n" +
        "  expected  SHA-256 [0-9a-f]{64}\n" +
        "  found     SHA-256 [0-9a-f]{64}, 2 bytes\n" +
        "The evidence of run [0-9a-f-]{36} does not hold\\.\n$",
    ),
  );
  const json = await tinycoder(fresh.path, ["verify", "baseline", "--json"]);
  assert.equal(json.code, 4);
  const { format, holds, discrepancy, checks } = JSON.parse(json.out);
  assert.deepEqual(
    [format, holds, discrepancy.code, discrepancy.file, checks.at(-1)],
    ["tinycoder/verification", false, "changed", "workspace/toy_math.py", {
      name: "workspace",
      checked: 1,
      state: "fails",
    }],
  );
});

Deno.test("verify needs the right to read the run's folder, and no other", async () => {
  using fresh = await withBaseline();
  const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const own = ["lib", "fixtures", "node_modules"].map((name) =>
    `${root}/${name}`
  );
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      `--config=${root}/deno.json`,
      `--allow-read=${[...own, `${fresh.path}/baseline`].join(",")}`,
      `${root}/main.ts`,
      "verify",
      `${fresh.path}/baseline`,
    ],
    // Nothing below this folder may be read, not even the folder itself.
    cwd: "/",
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.match(new TextDecoder().decode(stdout), / holds\.\n$/);
});

Deno.test("verify refuses what is no run, in one error", async () => {
  using fresh = freshFolder();
  Deno.mkdirSync(`${fresh.path}/empty`);
  assertOneError(
    await tinycoder(fresh.path, ["verify", "absent"]),
    3,
    'Cannot open the run "absent": there is no such folder',
  );
  const marks = "it is no run's folder: it has neither manifest.json nor";
  for (const command of ["verify", "recover"]) {
    assertOneError(
      await tinycoder(fresh.path, [command, "empty"]),
      3,
      `Cannot open the run "empty": ${marks} audit.jsonl.`,
    );
  }
  // A run whose manifest was taken away is no other folder, but bad evidence.
  Deno.writeTextFileSync(`${fresh.path}/empty/audit.jsonl`, "");
  const { code, out } = await tinycoder(fresh.path, ["verify", "empty"]);
  assert.equal(code, 4);
  assert.match(
    out,
    /First difference: manifest\.json\n {2}The file is missing/,
  );
});

Deno.test("replay makes a run of its own, which verifies too", async () => {
  using fresh = await withBaseline();
  const { code, out } = await tinycoder(fresh.path, [
    "replay",
    "baseline",
    "--run",
    "again",
  ]);
  assert.equal(code, 0);
  assert.match(out, /\nNot looked at: final\.json and recovery\.jsonl\./);
  assert.match(out, /\nThe replay equals the record: 32 events\.\n$/);
  const verified = await tinycoder(fresh.path, ["verify", "again", "--json"]);
  assert.equal(verified.code, 0, verified.out);
  const manifest = (name: string) =>
    JSON.parse(Deno.readTextFileSync(`${fresh.path}/${name}/manifest.json`));
  assert.equal(
    manifest("again").extension,
    `Replay of run ${manifest("baseline").run_id}`,
  );
  assertOneError(
    await tinycoder(fresh.path, ["replay", "baseline", "--run", "again"]),
    3,
    "it exists already",
  );
});

Deno.test("replay shows the first divergence as a small diff, and exits with 4", async () => {
  using fresh = await withBaseline();
  // A record of a controller that answered otherwise, with a chain that holds.
  const files = readRunFiles(`${fresh.path}/baseline`);
  const audit = parsed(linesOf(files.get("audit.jsonl")!).lines)
    .map((record) =>
      record["event_id"] !== 8 ? record : {
        ...record,
        content: JSON.parse(
          JSON.stringify(record["content"]).replace('"passed":0', '"passed":3'),
        ),
      }
    );
  const forged = chainAnew(files, { audit });
  Deno.writeFileSync(
    `${fresh.path}/baseline/audit.jsonl`,
    forged.get("audit.jsonl")!,
  );
  const { code, out } = await tinycoder(fresh.path, [
    "replay",
    "baseline",
    "--run",
    "again",
  ]);
  assert.equal(code, 4);
  assert.match(
    out,
    new RegExp(
      "First divergence: event 8, proposal 2: another observation\n" +
        "  content\\.observation\\.passed\n- 3\n\\+ 0\n" +
        "The replay differs after 7 equal events\\.\n$",
    ),
  );
});

Deno.test("keygen writes a private key that its owner alone can read, once", async () => {
  using fresh = freshFolder();
  const { code, out } = await tinycoder(fresh.path, ["keygen", "signer"]);
  assert.equal(code, 0);
  assert.match(out, /^Private key {2}signer .*\nPublic key {3}signer\.pub\n/);
  const { mode } = Deno.statSync(`${fresh.path}/signer`);
  assert.equal((mode ?? 0) & 0o777, 0o600);
  const shared = Deno.statSync(`${fresh.path}/signer.pub`).mode ?? 0;
  assert.equal(shared & 0o777, 0o644);
  const before = Deno.readTextFileSync(`${fresh.path}/signer`);
  assertOneError(
    await tinycoder(fresh.path, ["keygen", "signer"]),
    3,
    "it exists already",
  );
  assert.equal(Deno.readTextFileSync(`${fresh.path}/signer`), before);
  Deno.removeSync(`${fresh.path}/signer.pub`);
  assertOneError(
    await tinycoder(fresh.path, ["keygen", "signer"]),
    3,
    'Cannot create the key "signer": it exists already',
  );
  // Half a pair is worth nothing.
  assert.deepEqual([...Deno.readDirSync(fresh.path)].map(({ name }) => name), [
    "signer",
  ]);
  for (const name of ["../signer", "absent/signer"]) {
    assertOneError(await tinycoder(fresh.path, ["keygen", name]), 3, "key");
  }
});

Deno.test("sign and verify --public-key agree, and nothing can be changed after", async () => {
  using fresh = await withBaseline();
  const run = (...args: string[]) => tinycoder(fresh.path, args);
  for (const name of ["signer", "other"]) {
    assert.equal((await run("keygen", name)).code, 0);
  }
  assert.equal((await run("sign", "baseline", "--key", "signer")).code, 0);
  const verified = await run(
    "verify",
    "baseline",
    "--public-key",
    "signer.pub",
  );
  assert.equal(verified.code, 0, verified.out);
  assert.match(verified.out, /\n {2}signature {12}7 {2}holds\n/);
  const other = await run("verify", "baseline", "--public-key", "other.pub");
  assert.equal(other.code, 4);
  assert.match(
    other.out,
    /\nThe evidence of run \S+ holds; the signature doesn't: it isn't signed by this key\.\n$/,
  );
  assert.match(
    (await run("verify", "baseline")).out,
    /was not checked; --public-key FILE checks it\./,
  );
  Deno.renameSync(
    `${fresh.path}/baseline/attestation.json`,
    `${fresh.path}/kept.json`,
  );
  const unsigned = await run(
    ...["verify", "baseline", "--public-key", "signer.pub"],
  );
  assert.equal(unsigned.code, 4);
  assert.match(
    unsigned.out,
    /holds; the signature doesn't: the file is missing\.\n$/,
  );
  Deno.renameSync(
    `${fresh.path}/kept.json`,
    `${fresh.path}/baseline/attestation.json`,
  );
  assertOneError(
    await run("sign", "baseline", "--key", "signer"),
    3,
    "it has its attestation.json already",
  );
  assertOneError(
    await run("verify", "baseline", "--public-key", "signer"),
    3,
    'it is a "PRIVATE KEY", not a "PUBLIC KEY"',
  );
  assertOneError(
    await run("sign", "baseline", "--key", "absent"),
    3,
    "there is no such file",
  );

  // A wall time, consistently forged: only the signature shows it.
  const files = readRunFiles(`${fresh.path}/baseline`);
  const records = parsed(linesOf(files.get("audit.jsonl")!).lines);
  const wall_time = "2001-01-01T00:00:00.000Z";
  const audit = records.with(-1, { ...records.at(-1), wall_time });
  for (const [name, bytes] of chainAnew(files, { audit })) {
    Deno.writeFileSync(`${fresh.path}/baseline/${name}`, bytes);
  }
  assert.equal((await run("verify", "baseline")).code, 0);
  const forged = await run("verify", "baseline", "--public-key", "signer.pub");
  assert.equal(forged.code, 4);
  assert.match(
    forged.out,
    /First difference: audit\.jsonl\n {2}Its bytes aren't those that were signed\n/,
  );
});

Deno.test("sign refuses a run that doesn't verify", async () => {
  using fresh = await withBaseline();
  await tinycoder(fresh.path, ["keygen", "signer"]);
  Deno.removeSync(`${fresh.path}/baseline/backups/toy_math.py.v0`);
  const { code, err } = await tinycoder(fresh.path, [
    "sign",
    "baseline",
    "--key",
    "signer",
  ]);
  assert.equal(code, 4);
  assert.match(err, /backups\/toy_math\.py\.v0\n {2}The file is missing/);
  assert.match(err, /Cannot sign the run "baseline": its evidence does not/);
  const names = [...Deno.readDirSync(`${fresh.path}/baseline`)];
  assert.ok(!names.some(({ name }) => name === "attestation.json"));
});

Deno.test("verify names another program, and nothing that it says of itself acts", async () => {
  using fresh = await withBaseline();
  const folder = `${fresh.path}/baseline`;
  const files = readRunFiles(folder);
  const manifest = JSON.parse(
    new TextDecoder().decode(files.get("manifest.json")!),
  );
  const { tinycoder: version } = manifest.runtime;
  for (
    const [other, note] of [
      [
        version,
        `A program of other source texts, which calls itself ${version}`,
      ],
      ["\x9b2J\u202e", 'Another version of the program ("\\u{9b}2J\\u{202e}"'],
    ]
  ) {
    const altered = chainAnew(files, {
      manifest: {
        ...manifest,
        digests: { ...manifest.digests, harness: "0".repeat(64) },
        runtime: { ...manifest.runtime, tinycoder: other },
      },
    });
    for (const [name, bytes] of altered) {
      Deno.writeFileSync(`${folder}/${name}`, bytes);
    }
    const { code, out } = await tinycoder(fresh.path, ["verify", "baseline"]);
    assert.equal(code, 0, out);
    assert.ok(out.includes(`\n${note}`), out);
    assert.equal(UNSAFE_CHARACTER.exec(out), null);
  }
});
