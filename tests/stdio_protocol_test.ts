// The stdio protocol at the real program: every line out, every line in.

import assert from "node:assert/strict";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../lib/agent/json.ts";
import { VERSION } from "../lib/system/version.ts";
import { freshFolder } from "./baseline_in_process.ts";
import { HELD_OUT_RESULTS_V2, TASK_TXT } from "./lab_texts.ts";
import { launch, leftBy } from "./launched.ts";

/**
 * What a client sends for a line that it got: nothing, or null for the end, or
 * its last words and the end.
 */
type Client = (
  message: JsonObject,
) => string | { readonly last: string } | null | undefined;

/** A conversation from its first to its last line. */
interface Conversation {
  readonly code: number;
  readonly lines: readonly JsonObject[];
  readonly err: string;
  readonly final: JsonObject;
  readonly audit: readonly JsonObject[];
}

/** Lets a client talk to the program in a folder `name` below `folder`. */
async function converse(
  folder: string,
  name: string,
  client: Client,
  options: readonly string[] = ["--quiet"],
): Promise<Conversation> {
  const child = launch(
    folder,
    ["--run", name, "--source", "stdio", ...options],
    { stdin: "piped" },
  );
  const err = new Response(child.stderr).text();
  const input = child.stdin.getWriter();
  let open = true;
  const close = async () => {
    if (open) await input.close().catch(() => {});
    open = false;
  };
  const lines: JsonObject[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      const message: JsonObject = JSON.parse(piece);
      lines.push(message);
      const answer = client(message);
      if (answer === null) await close();
      else if (answer !== undefined && open) {
        const text = typeof answer === "string" ? answer : answer.last;
        // Whoever has ended no longer reads; that is its right.
        await input.write(new TextEncoder().encode(text)).catch(() => {});
        if (typeof answer !== "string") await close();
      }
    }
  }
  assert.equal(rest, "", "Every line ends with a line feed");
  await close();
  const { code } = await child.status;
  const text = (file: string) =>
    Deno.readTextFileSync(`${folder}/${name}/${file}`);
  return {
    code,
    lines,
    err: await err,
    final: JSON.parse(text("final.json")),
    audit: text("audit.jsonl").trimEnd().split("\n").map((line) =>
      JSON.parse(line)
    ),
  };
}

/** A line that answers proposal `number` with this text. */
function answer(number: number, proposal: string): string {
  return `${JSON.stringify({ proposal_number: number, proposal })}\n`;
}

/** A client that answers proposals from a list, and then ends its input. */
function playing(...answers: string[]): Client {
  return ({ type, proposal_number }) =>
    type === "request"
      ? answers[Number(proposal_number) - 1] ?? null
      : undefined;
}

/** Contents of an audit's events of one type. */
function contents(audit: readonly JsonObject[], event: string): JsonObject[] {
  return audit.filter((record) => record["event"] === event)
    .map(({ content }) => content as JsonObject);
}

/** How a conversation ended. */
function ending({ code, final, lines }: Conversation) {
  const last = lines.at(-1);
  assert.deepEqual(last, { type: "final", evidence_holds: true, final });
  return [code, final["stop_reason"], final["detail"]];
}

const READ = '{"action":"read","file":"toy_math.py"}';

Deno.test("stdio: a client plays the baseline, and every line is of the protocol", async () => {
  using folder = freshFolder();
  const answers = baseline.map((text, index) => answer(index + 1, text));
  const conversation = await converse(
    folder.path,
    "run",
    playing(...answers),
    ["--json"],
  );
  const { lines, audit, final, err } = conversation;
  assert.deepEqual(ending(conversation), [0, "finish_accepted", null]);
  assert.deepEqual(
    [final["verified_success"], final["source"], final["model_calls"]],
    [true, "stdio", 0],
  );
  assert.deepEqual(lines.map(({ type }) => type), [
    "hello",
    ...baseline.flatMap(() => ["request", "observation"]),
    "final",
  ]);
  assert.deepEqual(lines[0], {
    type: "hello",
    protocol: 1,
    tinycoder: VERSION,
  });

  const requests = lines.filter(({ type }) => type === "request");
  const asked = contents(audit, "request_assembled");
  assert.deepEqual(
    requests,
    asked.map(({ messages }, index) => ({
      type: "request",
      proposal_number: index + 1,
      call_deadline_ms: requests[index]?.["call_deadline_ms"],
      messages,
    })),
  );
  for (const { call_deadline_ms } of requests) {
    assert(Number.isInteger(call_deadline_ms));
    assert(Number(call_deadline_ms) > 0 && Number(call_deadline_ms) <= 120_000);
  }
  const observed = contents(audit, "observation_made");
  assert.deepEqual(
    lines.filter(({ type }) => type === "observation"),
    observed.map(({ observation }, index) => ({
      type: "observation",
      proposal_number: index + 1,
      observation,
    })),
  );
  assert.match(err, /finish/, "Progress goes to the other stream");

  const shown = JSON.stringify(requests);
  assert(shown.includes(JSON.stringify(TASK_TXT).slice(1, -1)));
  for (const { inputs } of HELD_OUT_RESULTS_V2) {
    assert(!JSON.stringify([requests, observed]).includes(`[${inputs}]`));
  }
});

/** The README's own proposers, each as its usage says. */
const PROPOSERS: Readonly<Record<string, string>> = {
  "proposer.py": "python3",
  "proposer.ts": `"${Deno.execPath()}" run --allow-read --allow-run ` +
    "--allow-env --no-config --no-prompt --quiet",
};

for (const [file, interpreter] of Object.entries(PROPOSERS)) {
  Deno.test(`stdio: the README's ${file} plays a run, and says how it failed`, async () => {
    using folder = freshFolder();
    const here = new URL("proposers/", import.meta.url).pathname;
    // The launcher comes last; the README has it on the PATH.
    const script = `PATH="\${2%/*}:$PATH"; cd "\${0}"; ` +
      `exec ${interpreter} "$1/${file}" run "$1/proposals.txt"`;
    const play = () =>
      leftBy(launch(folder.path, [], {
        within: ["sh", "-c", script, folder.path, here],
      }));
    const { code, out, err } = await play();
    assert.deepEqual([code, err], [0, ""]);
    const { type, final } = JSON.parse(out);
    assert.deepEqual(
      [type, final.stop_reason, final.verified_success],
      ["final", "finish_accepted", true],
    );
    const again = await play();
    assert.deepEqual([again.code, again.out], [3, ""]);
    assert.match(again.err, /"run": it exists already/);
  });
}

Deno.test("stdio: a line that is no answer is a model_error, and never a proposal", async () => {
  using folder = freshFolder();
  const tooLong = answer(1, "").trimEnd().length;
  const cases: [string, RegExp | string][] = [
    ["test\n", /^A line isn't one JSON object: ./],
    ["\n", /^A line isn't one JSON object: ./],
    ["[1]\n", "A line isn't one JSON object"],
    ['{"action":"test"}\n', "A line has an unknown key"],
    [
      '{"proposal_number":1,"proposal":"a","proposal":"b"}\n',
      /^A line isn't one JSON object: ./,
    ],
    [
      '{"proposal_number":1,"proposal":"\\ud800"}\n',
      /^A line isn't one JSON object: .*surrogate/,
    ],
    [
      '{"proposal_number":1,"proposal_base64":"/w"}\n',
      '"proposal_base64" is no padded base64',
    ],
    ['{"cancel":false}\n', '"cancel" is true, and alone'],
    [
      '{"proposal_number":1.0,"proposal":"a"}\n',
      '"proposal_number" is missing, or no integer',
    ],
    [answer(2, READ), "Proposal 2 came before it was asked for"],
    [answer(0, READ), "Proposal 0 was not asked for"],
    [
      answer(1, "x".repeat(16_385 - tooLong)),
      "A line is over 16384 bytes",
    ],
  ];
  for (const [index, [line, expected]] of cases.entries()) {
    const conversation = await converse(
      folder.path,
      `run${index}`,
      playing(line),
    );
    const [code, stop, detail] = ending(conversation);
    assert.deepEqual([code, stop], [0, "model_error"], line);
    if (typeof expected === "string") assert.equal(detail, expected);
    else assert.match(String(detail), expected);
    const { audit, final } = conversation;
    assert.equal(final["proposals"], 1);
    assert.deepEqual(contents(audit, "observation_made"), []);
    const [attempt] = contents(audit, "proposal_received");
    assert.deepEqual(Object.keys(attempt ?? {}), [
      "detail",
      "elapsed_ms",
      "failed",
    ]);
  }
});

Deno.test("stdio: the last answer counts without its line feed", async () => {
  using folder = freshFolder();
  const last = baseline.length;
  const { final } = await converse(
    folder.path,
    "run",
    ({ type, proposal_number }) => {
      if (type !== "request") return undefined;
      const number = Number(proposal_number);
      const text = answer(number, baseline[number - 1] ?? "");
      return number < last ? text : { last: text.trimEnd() };
    },
  );
  assert.deepEqual(
    [final["stop_reason"], final["proposals"], final["verified_success"]],
    ["finish_accepted", last, true],
  );
});

Deno.test("stdio: a line of 16 KiB is an answer, judged by the contract", async () => {
  using folder = freshFolder();
  const around = answer(1, "").trimEnd().length;
  const most = "x".repeat(16_384 - around);
  const { audit } = await converse(
    folder.path,
    "run",
    playing(answer(1, most)),
  );
  assert.deepEqual(
    contents(audit, "proposal_received")[0]?.["proposal_text"],
    most,
  );
  const [observed] = contents(audit, "observation_made");
  assert.equal(
    (observed?.["observation"] as JsonObject)["error"],
    "proposal_too_large",
  );
});

Deno.test("stdio: base64 carries bytes that aren't UTF-8, and they are kept", async () => {
  using folder = freshFolder();
  const conversation = await converse(
    folder.path,
    "run",
    playing(
      '{"proposal_number":1,"proposal_base64":"/wD+"}\n',
      `{"proposal_number":2,"proposal_base64":"${btoa(READ)}"}\n`,
    ),
  );
  const { audit, lines } = conversation;
  const kept = contents(audit, "proposal_received");
  assert.deepEqual(
    kept.map(({ proposal_text, proposal_base64 }) => [
      proposal_text,
      proposal_base64,
    ]),
    [[undefined, "/wD+"], [READ, undefined], [undefined, undefined]],
  );
  const observations = lines.filter(({ type }) => type === "observation")
    .map(({ observation }) => observation as JsonObject);
  assert.deepEqual(
    observations.map(({ ok, error }) => [ok, error]),
    [[false, "invalid_json"], [true, undefined]],
  );
});

Deno.test("stdio: a line that nobody asked for ends the run after the one before it", async () => {
  using folder = freshFolder();
  const conversation = await converse(
    folder.path,
    "run",
    playing(answer(1, READ) + answer(2, '{"action":"test"}')),
  );
  assert.deepEqual(ending(conversation), [
    0,
    "model_error",
    "Proposal 2 came before it was asked for",
  ]);
  const { audit, final } = conversation;
  assert.equal(final["proposals"], 2);
  assert.deepEqual(
    contents(audit, "proposal_admitted"),
    [{ action: JSON.parse(READ) }],
  );
});

Deno.test("stdio: a client cancels when it is asked, and when it isn't", async () => {
  using folder = freshFolder();
  const cancel = '{"cancel":true}\n';
  const early: Client = ({ type }) => type === "hello" ? cancel : undefined;
  const asked = playing(answer(1, READ), cancel);
  const afterAnswer = playing(answer(1, READ) + cancel);
  const clients = { early, asked, afterAnswer };
  for (const [name, client] of Object.entries(clients)) {
    const conversation = await converse(folder.path, name, client);
    const [code, stop, detail] = ending(conversation);
    assert.deepEqual([code, stop], [130, "cancelled"], name);
    // Between two proposals the controller finds the stop alone.
    const said = detail === "The proposer cancelled";
    assert.ok(said || name !== "asked" && detail === null, `${detail}`);
    assert.equal(conversation.final["final_evaluation"], "performed");
  }
});

Deno.test("stdio: the end of input cancels the next request, not the last answer", async () => {
  using folder = freshFolder();
  const atOnce = await converse(folder.path, "atOnce", playing());
  assert.deepEqual(ending(atOnce), [130, "cancelled", "The input ended"]);
  assert.equal(atOnce.final["proposals"], 1);

  const before: Client = ({ type }) => type === "hello" ? null : undefined;
  const unasked = await converse(folder.path, "before", before);
  assert.deepEqual(ending(unasked), [130, "cancelled", "The input ended"]);

  const after = await converse(
    folder.path,
    "after",
    playing(answer(1, READ)),
  );
  assert.deepEqual(ending(after), [130, "cancelled", "The input ended"]);
  const [read] = contents(after.audit, "observation_made");
  assert.equal((read?.["observation"] as JsonObject)["ok"], true);
});

Deno.test("stdio: a client that never reads keeps neither evidence nor process", async () => {
  using folder = freshFolder();
  // The pipe is full before the program writes to it.
  const full = ["sh", "-c", 'head -c 65536 /dev/zero; exec "$@"', "sh"];
  const child = launch(
    folder.path,
    ["--run", "run", "--source", "stdio", "--quiet"],
    { within: full, stdin: "piped" },
  );
  await child.stdin.close();
  const { code } = await child.status;
  assert.equal(code, 130);
  const final = JSON.parse(
    Deno.readTextFileSync(`${folder.path}/run/final.json`),
  );
  assert.deepEqual([final["stop_reason"], final["detail"]], [
    "cancelled",
    "The input ended",
  ]);
  await child.stdout.cancel();
  await child.stderr.cancel();
});
