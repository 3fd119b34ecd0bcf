// The acquisition's ledger: its format, its seal, and whether it agrees with the
// plan, the limits and the folder. Half of the changed ledgers are sealed anew,
// or no change would get past the seal.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type CheckpointPlan,
  checkpointPlan,
} from "../../../lib/acquire/checkpoint_plan.ts";
import { ledgerFault } from "../../../lib/acquire/ledger_checks.ts";
import { newLedgerContent } from "../../../lib/acquire/ledger_content.ts";
import {
  ledgerBytes,
  type LedgerContent,
  MAX_LEDGER_BYTES,
  parseLedger,
} from "../../../lib/acquire/ledger_format.ts";
import { LAB_LIMITS } from "../../../lib/acquire/limits.ts";
import type { Random } from "../../../tests/expression_generator.ts";
import { assertMessage, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";
import { judgeJson, losesNumber } from "../judge_json.ts";

/** Fuzzes ledgers. */
export function ledgerTarget(parse = parseLedger): FuzzTarget {
  return {
    name: "ledger",
    maxBytes: Math.min(MAX_LEDGER_BYTES, 64 * 1_024),
    words: [
      ...JSON_WORDS,
      ..."opt_ins window bytes files status end core_trial requests outcome"
        .split(" "),
      ..."settled reserved ceiling payload_bytes forfeited_bytes open verified"
        .split(" "),
      ..."complete interrupted partial pending origin copy hub null".split(" "),
    ],
    generate: (random) => ledgerBytes(writeContent(random)),
    mutate: (input, random) => {
      const changed = mutateJson(input, random);
      return random.chance(70) ? sealedAnew(changed) : changed;
    },
    judge: (input) => judge(input, parse),
  };
}

/** The checkpoint that the fuzzed ledgers are about. */
const PLAN: CheckpointPlan = plan();

function plan(): CheckpointPlan {
  const made = checkpointPlan({
    repository: "owner/name",
    revision: "0".repeat(40),
    files: [
      { name: "small", bytes: 6, sha256: "a".repeat(64) },
      { name: "large", bytes: 100 * 2 ** 20, sha256: "b".repeat(64) },
    ],
  }, { pinned: false, shownAs: "it" });
  if (!made.ok) throw new Error("The plan is in order");
  return made.plan;
}

function judge(input: Uint8Array, parse: typeof parseLedger): string {
  const found = twice(() => parse(input));
  if (!found.ok) {
    assertMessage(found.why, 1_024);
    return shapeOf(found.why);
  }
  const json = judgeJson(input, 8);
  assert.ok(
    json.ok && !losesNumber(input),
    "taken, where it isn't strict JSON",
  );
  const { content_sha256: seal, ...rest } = json.value as Record<
    string,
    unknown
  >;
  assert.deepEqual(found.content, rest, "the content isn't what is written");
  assert.equal(seal, sealOf(rest), "the seal");
  const written = ledgerBytes(found.content);
  assert.deepEqual(parse(written), found, "written down again");
  assert.deepEqual(ledgerBytes(found.content), written);
  return judgeAgreement(found.content);
}

function judgeAgreement(content: LedgerContent): string {
  const folder = {
    birthMs: 1_700_000_000_000,
    partBytes: (name: string) => name === "large" ? 5 : null,
    isPublished: (name: string) => name === "small",
  };
  const fault = twice(() => ledgerFault(content, PLAN, LAB_LIMITS, folder));
  if (fault !== null) {
    assertMessage(fault, 5_000);
    return `fault ${shapeOf(fault)}`;
  }
  const requests = content.files.flatMap((file) => file.requests);
  const counted = requests.reduce(
    (sum, one) => sum + BigInt(one.payload_bytes) + BigInt(one.forfeited_bytes),
    0n,
  );
  const { settled, reserved, ceiling } = content.bytes;
  assert.equal(counted, BigInt(settled), "bytes that no request counts");
  assert.ok(settled + reserved <= ceiling && ceiling === 1_200_000_000);
  assert.ok(content.files.every((file) => file.requests.length <= 2));
  assert.ok(requests.filter(({ outcome }) => outcome === "open").length <= 1);
  return `agrees, ${content.status}`;
}

function sealedAnew(input: Uint8Array): Uint8Array {
  try {
    const { content_sha256: _, ...content } = JSON.parse(textOf(input));
    return bytesOf(
      JSON.stringify({ ...content, content_sha256: sealOf(content) }),
    );
  } catch {
    return input;
  }
}

/** SHA-256 over the content with every object's keys sorted. */
function sealOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(inOrder(content))).digest(
    "hex",
  );
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, one]) => [key, inOrder(one)]),
  );
}

function writeContent(random: Random): LedgerContent {
  const fresh = newLedgerContent(
    PLAN,
    LAB_LIMITS,
    { uptimeSeconds: 100, wallMs: 1_699_999_999_000 },
    { shown: "?", answer: "yes", given_wall_ms: 1 },
  );
  const received = random.below(20);
  const request = {
    started_uptime_s: 100 + random.below(2),
    from_byte: 0,
    host: random.pick([null, "huggingface.co"]),
    payload_bytes: received,
    forfeited_bytes: random.below(2),
    outcome: random.pick(["open", "complete", "interrupted"] as const),
    detail: null,
  };
  const settled = request.payload_bytes + request.forfeited_bytes;
  const open = request.outcome === "open";
  return {
    ...fresh,
    bytes: {
      ...fresh.bytes,
      settled: random.chance(90) ? settled : 0,
      reserved: open ? random.below(5_000) : 0,
    },
    files: fresh.files.map((file) => ({
      ...file,
      ...file.name === "small"
        ? {
          status: "verified" as const,
          origin: "copy" as const,
          observed_bytes: 6,
          observed_sha256: "a".repeat(64),
        }
        : { requests: [request] },
    })),
    window: { ...fresh.window, seen_uptime_s: 101 },
  };
}
