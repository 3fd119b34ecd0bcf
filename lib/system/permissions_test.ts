import assert from "node:assert/strict";
import {
  ANCESTOR_LEVELS,
  ANCESTOR_MARKS,
  controllerRights,
  NO_RIGHTS,
  permissionFlags,
  REPOSITORY_MARKS,
  RIGHTS,
} from "./permissions.ts";

Deno.test("ANCESTOR_MARKS names every mark on every level, nearest first", () => {
  assert.equal(
    ANCESTOR_MARKS.length,
    ANCESTOR_LEVELS * REPOSITORY_MARKS.length,
  );
  assert.deepEqual(ANCESTOR_MARKS.slice(0, 5), [
    "../.git",
    "../.hg",
    "../.svn",
    "../.jj",
    "../../.git",
  ]);
  assert.equal(ANCESTOR_MARKS.at(-1), `${"../".repeat(16)}.jj`);
  assert.equal(new Set(ANCESTOR_MARKS).size, ANCESTOR_MARKS.length);
});

Deno.test("RIGHTS has no right to run anything, and none without a scope", () => {
  const kinds = RIGHTS.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["read", "write", "net", "ffi", "env", "sys"]);
  for (const { scope, why } of RIGHTS) {
    assert.notEqual(scope.length, 0);
    assert.notEqual(why, "");
  }
});

Deno.test("permissionFlags() follow from the table, and never ask", () => {
  const flags = permissionFlags();
  assert.equal(flags[0], "--no-prompt");
  assert.equal(flags.length, 1 + RIGHTS.length);
  assert.ok(flags.includes("--allow-write=."));
  assert.ok(flags.includes("--allow-ffi=.tinycoder-engine"));
  assert.deepEqual(flags.filter((flag) => /allow-(run|all)|-A/.test(flag)), []);
  // A flag without a scope would allow everything of its kind.
  for (const flag of flags.slice(1)) assert.match(flag, /^--allow-[a-z]+=./);
});

Deno.test("permissionFlags() let a checkout's own parts be read, not written", () => {
  const [, read, ...rest] = permissionFlags(["/checkout/lib"]);
  assert.ok(read?.startsWith("--allow-read=/checkout/lib,.,../.git,"));
  assert.deepEqual(rest.filter((flag) => flag.includes("checkout")), []);
});

Deno.test("NO_RIGHTS denies every kind that Deno knows", () => {
  assert.deepEqual(NO_RIGHTS, {
    read: false,
    write: false,
    net: false,
    env: false,
    sys: false,
    run: false,
    ffi: false,
    import: false,
  });
});

Deno.test("controllerRights() are one folder, to read and write", () => {
  assert.deepEqual(controllerRights("/runs/one"), {
    ...NO_RIGHTS,
    read: ["/runs/one"],
    write: ["/runs/one"],
  });
});

Deno.test("giveUp() takes a kind away for good, and giveUpAncestorMarks() the marks", async () => {
  const url = new URL("./permissions.ts", import.meta.url);
  const code = `
    const { giveUp, giveUpAncestorMarks } = await import("${url}");
    const state = (descriptor) => Deno.permissions.querySync(descriptor).state;
    const host = { name: "net", host: "example.com:443" };
    const mark = { name: "read", path: "../../.hg" };
    const run = { name: "read", path: "../audit.jsonl" };
    const here = { name: "read", path: "." };
    const before = [host, mark, run, here].map(state);
    giveUp("net");
    giveUpAncestorMarks();
    const after = [host, mark, run, here].map(state);
    const again = (await Deno.permissions.request(host)).state;
    console.log(JSON.stringify({ before, after, again }));`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      `--allow-read=.,../../.hg,../audit.jsonl,${url.pathname}`,
      "--allow-net=example.com:443",
      `data:application/javascript,${encodeURIComponent(code)}`,
    ],
    env: { RUST_BACKTRACE: "0" },
  }).output();
  const text = new TextDecoder();
  assert.deepEqual(
    JSON.parse(text.decode(stdout) || text.decode(stderr)),
    {
      before: ["granted", "granted", "granted", "granted"],
      after: ["prompt", "prompt", "prompt", "granted"],
      again: "denied",
    },
  );
});
