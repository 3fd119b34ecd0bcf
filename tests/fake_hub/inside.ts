// Runs inside the namespace: every scenario against one hub, one JSON line each.
//
// usage: inside.ts AUTHORITY CERTIFICATE KEY WORK

import assert from "node:assert/strict";
import { conduct } from "./conduct.ts";
import { FakeHub } from "./hub.ts";
import { oneByOne } from "./one_by_one.ts";
import { CHECKPOINT, type Scenario, SCENARIOS } from "./scenarios.ts";

/** Every header field that a request may carry. */
const REQUEST_FIELDS = new Set([
  "host",
  "connection",
  "accept",
  "accept-encoding",
  "user-agent",
  "range",
]);

const [authority, certificate, key, work] = Deno.args as [
  string,
  string,
  string,
  string,
];
const hub = await FakeHub.start({ authority, certificate, key }, CHECKPOINT);
await oneByOne(
  work,
  SCENARIOS.map((scenario) => [scenario.name, () => check(scenario)]),
);
hub.stop();
Deno.exit(0);

async function check(scenario: Scenario): Promise<void> {
  hub.forget();
  if (scenario.behave !== undefined) hub.behave = scenario.behave;
  const done = await conduct(hub, CHECKPOINT.declaration, scenario.options);
  const { expected } = scenario;
  const shown = JSON.stringify(done, null, 1);
  assert.equal(done.code, expected.code, shown);
  if (expected.says !== undefined) {
    assert.ok(done.message.includes(expected.says), shown);
  }
  const file = expected.file ?? "model.safetensors";
  const line = done.files[file]!;
  if (typeof expected.line === "string") {
    assert.equal(line, expected.line, shown);
  } else assert.match(line, expected.line, shown);
  const requests =
    hub.seen.filter(({ name, stage }) => name === file && stage === "resolve")
      .length;
  assert.equal(requests, expected.requests, shown);
  const parts = done.disk.filter((name) => name.includes(".part"));
  if (expected.partBytes !== undefined) {
    assert.deepEqual(parts, [`${file}.part ${expected.partBytes}`], shown);
  }
  assertNothingTooMuch(done.files, done.disk, shown);
  for (const { fields } of hub.seen) {
    for (const name of fields.keys()) {
      assert.ok(REQUEST_FIELDS.has(name), `a request carries "${name}"`);
    }
    assert.equal(fields.get("accept-encoding"), "identity");
  }
  // What a server has put on its way before it sees the end can't be unsent.
  assert.ok(
    scenario.overrun === true || hub.sent.bytes <= done.settledBytes,
    `${hub.sent.bytes} bytes were sent and ${done.settledBytes} counted`,
  );
}

/** Exactly the verified files have their final names. */
function assertNothingTooMuch(
  files: Readonly<Record<string, string>>,
  disk: readonly string[],
  shown: string,
): void {
  const published = disk.filter((name) =>
    name !== "acquisition.json" && !name.includes(".part")
  );
  const verified = Object.entries(files).filter(([, line]) =>
    line.startsWith("verified")
  ).map(([name]) => name).sort();
  assert.deepEqual(published, verified, shown);
}
