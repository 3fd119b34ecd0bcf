import assert from "node:assert/strict";
import { HandClock } from "../../tests/hand_clock.ts";
import { VERSION } from "../system/version.ts";
import {
  type InputLine,
  MAX_LINE_BYTES,
  PROTOCOL,
  readInputLine,
  StdioSource,
} from "./stdio_source.ts";

const encoder = new TextEncoder();
const messages = [{ role: "user", content: "é?" }] as const;

/** A source whose other end is in the test's hands. */
function proposer(write?: (bytes: Uint8Array) => Promise<void>) {
  const lines: unknown[] = [];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const input = writable.getWriter();
  const clock = new HandClock();
  const cancelled: string[] = [];
  const source = new StdioSource({
    input: readable,
    write: write ?? ((bytes) => {
      const text = new TextDecoder().decode(bytes);
      assert(text.indexOf("\n") === text.length - 1, "One line a write");
      lines.push(JSON.parse(text));
      return Promise.resolve();
    }),
    cancel: (why) => cancelled.push(why),
  }, clock);
  return {
    source,
    clock,
    lines,
    cancelled: () => cancelled,
    send: (...texts: string[]) =>
      input.write(encoder.encode(texts.map((text) => `${text}\n`).join(""))),
    end: () => input.close(),
    ask: (proposalNumber: number, deadline = 0) =>
      source.propose({ proposalNumber, messages }, { deadline }),
  };
}

const answer = (proposal_number: number, proposal = "{}") =>
  JSON.stringify({ proposal_number, proposal });
const hello = { type: "hello", protocol: PROTOCOL, tinycoder: VERSION };

Deno.test("StdioSource says hello, asks, observes, and says how it ended", async () => {
  const { source, clock, lines, send, ask } = proposer();
  clock.ms = 1_000;
  const attempt = ask(1, 3_500.4);
  clock.ms = 1_250.1234;
  await send(answer(1, "\ufeffé"));
  assert.deepEqual(await attempt, {
    proposal_text: "\ufeffé",
    elapsed_ms: 250.123,
  });
  source.sendObservation(1, { ok: true });
  await source.sendFinal({ stop_reason: "cancelled" }, true);
  assert.deepEqual(lines, [
    hello,
    {
      type: "request",
      proposal_number: 1,
      call_deadline_ms: 2_500,
      messages,
    },
    { type: "observation", proposal_number: 1, observation: { ok: true } },
    {
      type: "final",
      evidence_holds: true,
      final: { stop_reason: "cancelled" },
    },
  ]);
});

Deno.test("StdioSource gives no negative deadline", async () => {
  const { source, clock, lines, ask } = proposer();
  clock.ms = 10;
  ask(1, 5);
  await source.sendFinal({}, true);
  assert.equal(
    (lines[1] as { call_deadline_ms: number }).call_deadline_ms,
    0,
  );
});

Deno.test("StdioSource takes base64 for bytes that aren't UTF-8", async () => {
  const { send, ask } = proposer();
  const attempt = ask(1);
  await send('{"proposal_base64":"/wA=","proposal_number":1}');
  assert.deepEqual(await attempt, { proposal_base64: "/wA=", elapsed_ms: 0 });
});

Deno.test("StdioSource fails this attempt and every later one at a line that no answer is", async () => {
  const cases: [string, string][] = [
    [answer(2), "Proposal 2 came before it was asked for"],
    [answer(3), "Proposal 3 was not asked for"],
    [answer(0), "Proposal 0 was not asked for"],
    ["", "A line isn't one JSON object"],
    [
      '{"proposal_number":1,"proposal":"","proposal":""}',
      "A line isn't one JSON object",
    ],
    [
      "x".repeat(MAX_LINE_BYTES + 1),
      `A line is over ${MAX_LINE_BYTES} bytes`,
    ],
  ];
  for (const [line, detail] of cases) {
    const { send, ask, cancelled } = proposer();
    const attempt = ask(1);
    await send(line, answer(1));
    const first = await attempt;
    assert.equal(first.failed, "model_error");
    assert(first.detail?.startsWith(detail), first.detail);
    assert.deepEqual(await ask(2), { ...first, elapsed_ms: 0 });
    assert.deepEqual(cancelled(), []);
  }
});

Deno.test("StdioSource never takes a second answer for the next proposal's", async () => {
  const { send, ask } = proposer();
  const attempt = ask(1);
  await send(answer(1, "one"), answer(2, "two"));
  assert.deepEqual(await attempt, { proposal_text: "one", elapsed_ms: 0 });
  // The controller, on its own thread, can't ask within this turn.
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(await ask(2), {
    failed: "model_error",
    detail: "Proposal 2 came before it was asked for",
    elapsed_ms: 0,
  });
});

Deno.test("StdioSource takes lines of 16 KiB, and none of a byte more", async () => {
  assert.equal(MAX_LINE_BYTES, 16_384);
  const { send, ask } = proposer();
  const around = answer(1, "").length;
  const most = "x".repeat(MAX_LINE_BYTES - around);
  const fits = ask(1);
  await send(answer(1, most));
  assert.deepEqual(await fits, { proposal_text: most, elapsed_ms: 0 });
  const over = ask(2);
  await send(answer(2, `${most}x`));
  assert.equal((await over).detail, "A line is over 16384 bytes");
});

Deno.test("StdioSource cancels the run at once when the proposer says so", async () => {
  const { send, ask, cancelled } = proposer();
  const attempt = ask(1);
  await send('{"cancel":true}');
  const failure = { failed: "cancelled", detail: "The proposer cancelled" };
  assert.deepEqual(await attempt, { ...failure, elapsed_ms: 0 });
  assert.deepEqual(cancelled(), ["The proposer cancelled"]);
  assert.deepEqual(await ask(2), { ...failure, elapsed_ms: 0 });
});

Deno.test("StdioSource is cancelled by the end of input, but not before it is asked", async () => {
  const { send, end, ask, cancelled } = proposer();
  const attempt = ask(1);
  await send(answer(1));
  await end();
  assert.equal((await attempt).proposal_text, "{}");
  assert.deepEqual(await ask(2), {
    failed: "cancelled",
    detail: "The input ended",
    elapsed_ms: 0,
  });
  assert.deepEqual(cancelled(), [], "What was proposed is still carried out");
});

Deno.test("StdioSource tells an input that can't be read from one that ended", async () => {
  const source = new StdioSource({
    input: (async function* (): AsyncGenerator<Uint8Array> {
      yield encoder.encode("{");
      throw new Deno.errors.IsADirectory();
    })(),
    write: () => Promise.resolve(),
    cancel: () => {},
  }, new HandClock());
  assert.deepEqual(
    await source.propose({ proposalNumber: 1, messages }, { deadline: 0 }),
    {
      failed: "cancelled",
      detail: "The input can't be read",
      elapsed_ms: 0,
    },
  );
});

Deno.test("StdioSource takes a last line without a line feed", async () => {
  const asked = Promise.withResolvers<void>();
  const input = async function* () {
    await asked.promise;
    yield encoder.encode(answer(1, "last"));
  };
  const source = new StdioSource({
    input: input(),
    write: () => Promise.resolve(),
    cancel: () => {},
  }, new HandClock());
  const attempt = source.propose({ proposalNumber: 1, messages }, {
    deadline: 0,
  });
  asked.resolve();
  assert.equal((await attempt).proposal_text, "last");
});

Deno.test("StdioSource cancels the run when its output is closed", async () => {
  const closed = () => Promise.reject(new Deno.errors.BrokenPipe());
  const { source, ask, cancelled } = proposer(closed);
  assert.deepEqual(await ask(1), {
    failed: "cancelled",
    detail: "The output was closed",
    elapsed_ms: 0,
  });
  assert.deepEqual(new Set(cancelled()), new Set(["The output was closed"]));
  await source.sendFinal({}, true);
});

Deno.test("StdioSource keeps its lines in order, one after the other", async () => {
  const written: string[] = [];
  let writing = false;
  const { source } = proposer(async (bytes) => {
    assert.equal(writing, false);
    writing = true;
    await Promise.resolve();
    written.push(new TextDecoder().decode(bytes));
    writing = false;
  });
  for (let number = 1; number <= 3; number++) {
    source.sendObservation(number, {});
  }
  await source.sendFinal({}, true);
  assert.deepEqual(
    written.map((line) => JSON.parse(line)).map((line) =>
      line.proposal_number ?? line.type
    ),
    ["hello", 1, 2, 3, "final"],
  );
});

Deno.test("StdioSource.sendFinal() gives up a proposer that doesn't read", async () => {
  const { source } = proposer(() => new Promise(() => {}));
  await source.sendFinal({}, true, 1);
});

const malformed = (detail: string): InputLine => ({
  kind: "malformed",
  detail,
});
const read = (text: string) => readInputLine(encoder.encode(text));

Deno.test("readInputLine() reads answers, in text and base64, and a cancel", () => {
  const answered = (number: number, bytes: number[]) => ({
    kind: "answer",
    proposalNumber: number,
    proposal: Uint8Array.from(bytes),
  });
  assert.deepEqual(
    [
      ' { "proposal" : "a\\u00e9\\ud83d\\ude00" , "proposal_number" : 3 }\r',
      '{"proposal_number":1,"proposal":""}',
      '{"proposal_number":1,"proposal_base64":"/w=="}',
      '{"proposal_number":1,"proposal_base64":""}',
      '{"cancel":true}',
    ].map(read),
    [
      answered(3, [0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]),
      answered(1, []),
      answered(1, [0xff]),
      answered(1, []),
      { kind: "cancel" },
    ],
  );
});

Deno.test("readInputLine() says what keeps a line from being one of these", () => {
  const either =
    'A line carries either "proposal" or "proposal_base64", a string';
  const number = '"proposal_number" is missing, or no integer';
  const cancel = '"cancel" is true, and alone';
  const base64 = '"proposal_base64" is no padded base64';
  const unknown = "A line has an unknown key";
  const cases: [string, string][] = [
    ['{"proposal_number":1}', either],
    ['{"proposal_number":1,"proposal":1}', either],
    ['{"proposal_number":1,"proposal":null}', either],
    ['{"proposal_number":1,"proposal":"","proposal_base64":""}', either],
    ['{"proposal_number":1,"proposal_base64":7}', either],
    ['{"proposal_number":1,"proposal_base64":"/w"}', base64],
    ['{"proposal_number":1,"proposal_base64":"/x=="}', base64],
    ['{"proposal_number":1,"proposal_base64":"_w=="}', base64],
    ['{"proposal_number":1,"proposal_base64":"/w==\\n"}', base64],
    ['{"proposal":""}', number],
    ['{"proposal_number":"1","proposal":""}', number],
    ['{"proposal_number":1.5,"proposal":""}', number],
    ['{"proposal_number":1.0,"proposal":""}', number],
    ['{"proposal_number":1e0,"proposal":""}', number],
    ['{"proposal_number":10E-1,"proposal":""}', number],
    ['{"proposal_number":true,"proposal":""}', number],
    ['{"cancel":false}', cancel],
    ['{"cancel":1}', cancel],
    ['{"cancel":true,"proposal_number":1}', cancel],
    ['{"proposal_number":1,"proposal":"","type":"answer"}', unknown],
    ['{"__proto__":1,"proposal_number":1,"proposal":""}', unknown],
    ["{}", number],
    ["[]", "A line isn't one JSON object"],
    ["null", "A line isn't one JSON object"],
    ['"cancel"', "A line isn't one JSON object"],
  ];
  assert.deepEqual(
    cases.map(([text]) => [text, read(text)]),
    cases.map(([text, detail]) => [text, malformed(detail)]),
  );
});

Deno.test("readInputLine() passes the scanner's word on for what is no JSON", () => {
  const texts = [
    "",
    "action: test",
    '{"cancel":true}{"cancel":true}',
    '{"cancel":true,"cancel":true}',
    '{"cancel":true,"canc\\u0065l":true}',
    '{"proposal":{"action":"test"},"proposal_number":1}',
    "{'cancel':true}",
    '{"proposal_number":1,"proposal":"\\ud800"}',
    '\ufeff{"cancel":true}',
  ];
  for (const text of texts) {
    const line = read(text);
    assert(line.kind === "malformed", text);
    assert.match(line.detail, /^A line isn't one JSON object: ./, text);
  }
  assert.equal(
    readInputLine(Uint8Array.of(0x22, 0xff, 0x22)).kind,
    "malformed",
  );
});
