import assert from "node:assert/strict";
import fc from "fast-check";
import { answerContractLine } from "./answer_contract_line.ts";

const encoder = new TextEncoder();

function request(proposal: Uint8Array | string): Uint8Array {
  const bytes = typeof proposal === "string"
    ? encoder.encode(proposal)
    : proposal;
  return encoder.encode(JSON.stringify({ proposal_base64: bytes.toBase64() }));
}

Deno.test("answerContractLine() answers with the action or with the denial", () => {
  assert.deepEqual(
    answerContractLine(request('{"action":"finish","version":3}')),
    {
      ok: true,
      action: { action: "finish", version: 3 },
    },
  );
  assert.deepEqual(
    answerContractLine(request('{"action":"finish","version":7}')),
    {
      ok: false,
      error: "invalid_value",
      message: '"version" must be one digit from 0 to 6, not 7',
    },
  );
  assert.deepEqual(answerContractLine(request('{"action":"test"} ok')), {
    ok: false,
    error: "invalid_json",
    message:
      "Text after the JSON at byte 18: send the JSON alone, with nothing " +
      "before or after it",
    offset: 18,
  });
  assert.deepEqual(answerContractLine(request(new Uint8Array(0))), {
    ok: false,
    error: "invalid_json",
    message: "No JSON: the text is empty or only spaces",
    offset: 0,
  });
  assert.deepEqual(answerContractLine(request(new Uint8Array(2_049))), {
    ok: false,
    error: "proposal_too_large",
    message: "The proposal has 2049 bytes; the most is 2048",
  });
});

Deno.test("answerContractLine() answers a line that is no request", () => {
  const lines = [
    "",
    "x",
    "[]",
    "{}",
    "null",
    '{"proposal_base64":1}',
    '{"proposal_base64":"e30=","x":1}',
    '{"proposal_base64":"e30=","proposal_base64":"e30="}',
    '{"proposal_base64":["e30="]}',
    '{"proposal":"e30="}',
    '{"__proto__":"e30="}',
    '{"proposal_base64":"e30="}}',
  ];
  for (const line of lines) {
    const { ok, error } = answerContractLine(encoder.encode(line));
    assert.deepEqual([ok, error], [false, "invalid_request"], line);
  }
});

Deno.test("answerContractLine() takes base64 by the letter of RFC 4648", () => {
  const cases: [text: string, error: string][] = [
    ["", "invalid_json"],
    ["e30=", "invalid_fields"],
    ["e30", "invalid_request"],
    ["e31=", "invalid_request"],
    ["e30==", "invalid_request"],
    ["e3 0=", "invalid_request"],
    [" e30=", "invalid_request"],
    ["e30=\\n", "invalid_request"],
    ["e3-_", "invalid_request"],
    ["====", "invalid_request"],
    ["e30=e30=", "invalid_request"],
    ["é30=", "invalid_request"],
  ];
  assert.deepEqual(
    cases.map(([text]) => [
      text,
      answerContractLine(
        encoder.encode(`{"proposal_base64":"${text}"}`),
      )["error"],
    ]),
    cases,
  );
});

Deno.test("answerContractLine() never throws", () => {
  const bytes = fc.uint8Array({ maxLength: 100 });
  fc.assert(fc.property(fc.oneof(bytes, bytes.map(request)), (line) => {
    const answer = answerContractLine(line);
    assert.equal(typeof answer["ok"], "boolean");
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
  }));
});
