// Held-out cases, expected expressions, host paths and stack traces are in no
// prompt, observation or error; user name, host name and absolute paths in no
// file of a run. Canaries show that the search would find them.

import assert from "node:assert/strict";
import * as os from "node:os";
import type { JsonObject } from "../lib/agent/json.ts";
import { readScenarios } from "../lib/cli/scenarios/catalogue.ts";
import { runScenario } from "../lib/cli/scenarios/run.ts";
import cases from "../fixtures/cases.json" with { type: "json" };
import { launch, type Left, leftBy } from "./launched.ts";
import { EVERY_TOOL, scenarioFolder } from "./scenario_tools.ts";

const EXPECTED = ["lo if x < lo else hi if x > hi else x", "unit * qty + fee"];
/** Part of every folder's name here, so that a path that leaks is seen. */
const FOLDER_CANARY = "canary-folder-7391-";

Deno.test("the search finds what it searches for", () => {
  const { held_out } = cases;
  for (
    const told of [
      JSON.stringify(held_out),
      held_out.map(({ inputs }) => `f(${inputs.join(", ")})`).join(),
    ]
  ) assert.equal(heldOutIn(told, held_out).length, held_out.length, told);
  assert.deepEqual(heldOutIn(JSON.stringify(cases.public), held_out), []);

  for (
    const told of [
      "Cannot open /tmp/run/audit.jsonl",
      '"/home/somebody"',
      "file:///lib/lab/lab_task.ts",
      "TypeError\n    at perform",
      JSON.stringify("TypeError\n    at perform"),
      "lab_task.ts:94:5",
    ]
  ) assert.match(told, HOST);
  for (const fine of ["tinycoder/manifest", "x // lo", "../../held_out.json"]) {
    assert.doesNotMatch(fine, HOST);
  }
  for (const name of NAMES) {
    assert.throws(() => searchText(`it is "${name}"`, "a text"));
  }
});

Deno.test("no prompt, observation or error of a scenario tells a held-out case, the solution, a host path or a stack", async () => {
  using parent = scenarioFolder(FOLDER_CANARY);
  let texts = 0;
  for await (const records of conductAll(parent.path)) {
    const own: string[] = [];
    for (const { event, content } of records) {
      own.push(...proposed(event, content));
      for (const said of spoken(event, content)) {
        texts++;
        assert.deepEqual(heldOutIn(said, cases.held_out), [], said);
        assert.doesNotMatch(said, HOST, said);
        assert.ok(!said.includes(FOLDER_CANARY), said);
        for (const expression of EXPECTED) {
          assert.ok(
            !said.includes(expression) ||
              own.some((text) => text.includes(expression)),
            `the solution is told before it was proposed: ${said}`,
          );
        }
      }
    }
  }
  assert.ok(texts > 1_000, `only ${texts} texts were searched`);
});

Deno.test("no prompt, observation or error tells a canary among the held-out cases", async () => {
  // This file has modules of its own, so no other test sees these cases.
  const held_out = [
    {
      function: "clamp",
      inputs: [731_941, -424_243, 918_273],
      expected: 731_941,
    },
    { function: "total", inputs: [565_657, 0, 848_581], expected: 848_581 },
    { function: "clamp", inputs: [0, 1, 2], expected: 616_163 },
  ];
  const canaries = ["731941", "424243", "918273", "565657", "848581", "616163"];
  cases.held_out.push(...held_out);
  try {
    using parent = scenarioFolder(FOLDER_CANARY);
    let evaluations = 0;
    for await (const records of conductAll(parent.path)) {
      for (const { event, content } of records) {
        const text = JSON.stringify(content);
        const told = canaries.filter((canary) => text.includes(canary));
        if (event === "final_evaluation" && content["cases"] instanceof Array) {
          // The cases were taken: this is where they may be, and are.
          const { length } = content["cases"];
          if (length > 0) assert.deepEqual(told, canaries), evaluations++;
        } else assert.deepEqual(told, [], text);
      }
    }
    assert.ok(evaluations > 50, `only ${evaluations} evaluations were made`);
  } finally {
    cases.held_out.splice(-held_out.length);
  }
});

Deno.test("no file of a scenario's run holds a user name, a host name or an absolute path", async () => {
  using parent = scenarioFolder(FOLDER_CANARY);
  for await (const records of conductAll(parent.path)) void records;
  let files = 0;
  for (const { name } of Deno.readDirSync(parent.path)) {
    files += searchFiles(`${parent.path}/${name}`);
  }
  assert.ok(files > 1_000, `only ${files} files were searched`);
});

Deno.test("a real baseline tells nothing of its machine, in its files and on its streams", async () => {
  using parent = scenarioFolder(FOLDER_CANARY);
  const left = await leftBy(
    launch(parent.path, ["--run", "baseline"], { within: CANARY_ENVIRONMENT }),
  );
  assert.equal(left.code, 0, left.err);
  searchStreams(left);
  assert.ok(searchFiles(`${parent.path}/baseline`) >= 6);
});

Deno.test("a real run of hostile proposals tells nothing of its machine", async () => {
  using parent = scenarioFolder(FOLDER_CANARY);
  const args = ["--run", "hostile", "--source", "stdio"];
  const child = launch(parent.path, args, {
    within: CANARY_ENVIRONMENT,
    stdin: "piped",
  });
  const left = await converse(child, [
    { action: "read", file: `${parent.path}/hostile/audit.jsonl` },
    { action: "read", file: "toy_math.py" },
    { action: "read", file: "../../../../etc/hostname" },
    { action: "test" },
    {
      action: "replace",
      function: "clamp",
      old: "x",
      new: 'open("/etc/passwd").read()',
      version: 0,
    },
    { action: "finish", version: 0 },
  ]);
  assert.equal(left.code, 0, left.err);
  assert.match(left.out, /"stop_reason":"invalid_proposal_limit"/);
  // Progress shows a person what was proposed, paths and all.
  searchStreams({ ...left, err: "" });
  searchFiles(`${parent.path}/hostile`);
});

Deno.test("errors before a run name what was typed, and nothing of the machine", async () => {
  using parent = scenarioFolder(FOLDER_CANARY);
  Deno.mkdirSync(`${parent.path}/taken`);
  for (
    const args of [
      ["--run", "taken"],
      ["--run", "../up"],
      ["--run", "absent/run"],
      ["--nonsense"],
      ["recover", "absent"],
      ["recover", "taken"],
      ["show", "taken"],
    ]
  ) {
    const left = await leftBy(
      launch(parent.path, args, { within: CANARY_ENVIRONMENT }),
    );
    assert.notEqual(left.code, 0, args.join(" "));
    searchStreams(left);
  }
});

/** Names that the machine has, and those that it is made to have. */
const NAMES = [
  os.userInfo().username,
  os.hostname(),
  "canary-user-5521",
  "canary-host-8842",
].filter((name) =>
  !["tinycoder", Deno.build.os, Deno.build.arch].includes(name)
);
const CANARY_ENVIRONMENT = [
  "env",
  ...["USER", "LOGNAME", "USERNAME"].map((key) => `${key}=canary-user-5521`),
  "HOSTNAME=canary-host-8842",
];

/** An absolute path of two parts or more, a file URL, or a stack's line. */
const HOST =
  /(?<![\w.)\]/])\/[\w.-]+\/[\w.-]|file:\/\/|\n\s+at |\\n\s+at |\.[jt]s:\d/;

/** Which of these cases a text has, in whatever brackets. */
function heldOutIn(
  text: string,
  held: readonly { readonly inputs: readonly number[] }[],
): string[] {
  return held.map(({ inputs }) => inputs.join("[^0-9-]{1,8}"))
    .filter((inputs) => new RegExp(`(?<![\\d-])${inputs}(?!\\d)`).test(text));
}

interface Event {
  readonly event: string;
  readonly content: JsonObject;
}

/** Conducts every scenario, and hands out each run's records. */
async function* conductAll(parent: string): AsyncGenerator<readonly Event[]> {
  for (const scenario of readScenarios()) {
    // Altered runs hold what was put there, and others conduct none.
    if (!("injected" in scenario)) continue;
    const folder = `${parent}/${scenario.name}`;
    Deno.mkdirSync(folder);
    await runScenario(scenario, { folder, tools: EVERY_TOOL });
    yield Deno.readTextFileSync(`${folder}/run/audit.jsonl`).trim().split("\n")
      .map((line) => JSON.parse(line));
  }
}

/** What a record says to the proposer, or about a fault. */
function spoken(event: string, content: JsonObject): string[] {
  switch (event) {
    case "request_assembled":
      return (content["messages"] as readonly { content: string }[])
        .map(({ content }) => content);
    case "observation_made":
      return [JSON.stringify(content["observation"])];
    case "harness_fault":
    case "edit_fault":
    case "file_changed":
    case "loop_stopped":
    case "run_ended":
      return [JSON.stringify(content)];
    default:
      return [];
  }
}

/** What a record holds of the proposer's own words. */
function proposed(event: string, content: JsonObject): string[] {
  return event === "proposal_received" || event === "proposal_admitted"
    ? [JSON.stringify(content)]
    : [];
}

/**
 * Searches every file below a folder, the proposer's own words aside, and
 * returns how many there are.
 */
function searchFiles(folder: string): number {
  let files = 0;
  for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files += searchFiles(path);
    if (!isFile) continue;
    files++;
    const text = Deno.readTextFileSync(path);
    const own = text.split("\n").filter((line) =>
      name !== "audit.jsonl" || line === "" ||
      proposed(JSON.parse(line).event, {}).length === 0
    );
    searchText(own.join("\n"), path);
  }
  return files;
}

function searchStreams({ out, err }: Left): void {
  searchText(out, "stdout");
  searchText(err, "stderr");
}

function searchText(text: string, where: string): void {
  assert.doesNotMatch(text, HOST, where);
  assert.ok(!text.includes(FOLDER_CANARY), `${where} names its folder`);
  for (const name of NAMES) {
    const word = name.replaceAll(/[^\w]/g, "\\$&");
    assert.doesNotMatch(text, new RegExp(`(?<!\\w)${word}(?!\\w)`), where);
  }
}

/** Answers each request with the next proposal, and takes what was said. */
async function converse(
  child: Deno.ChildProcess,
  actions: readonly JsonObject[],
): Promise<Left> {
  const stderr = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  let [out, answered] = ["", 0];
  for await (
    const part of child.stdout.pipeThrough(new TextDecoderStream())
  ) {
    out += part;
    const asked = out.split('"type":"request"').length - 1;
    while (answered < asked) {
      const proposal = JSON.stringify(actions[answered++]);
      const answer = { proposal_number: answered, proposal };
      const line = new TextEncoder().encode(`${JSON.stringify(answer)}\n`);
      await writer.write(line);
    }
  }
  await writer.close().catch(() => {});
  const { code } = await child.status;
  return { code, out, err: await stderr };
}
