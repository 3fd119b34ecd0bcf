// in-toto's Statement v1 with a test result v0.1: which files there are, and
// which of the task's cases passed. Fields that we don't know are ignored, as
// in-toto's parsing rules ask; those that we know must be what follows.

import type { Json, JsonObject } from "../../agent/json.ts";
import { MANIFEST_NAME } from "../manifest.ts";
import { canonicalJson } from "../audit_record.ts";
import { firstDifference, type ValueDifference } from "../first_difference.ts";
import type { Subject } from "./subjects.ts";

/** What an in-toto statement's envelope says of its payload. */
export const STATEMENT_PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** The predicate that a run's statement carries. */
export const PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1";

/** Names of a task's cases, by how they ended. */
export interface CaseNames {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/**
 * The statement that a run's files and results make.
 *
 * @param final The final report, derived again.
 */
export function runStatement(
  subjects: readonly Subject[],
  final: JsonObject,
  cases: CaseNames,
): JsonObject {
  const resource = ({ name, sha256 }: Subject) => ({
    name,
    digest: { sha256 },
  });
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(resource),
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: final["verified_success"] === true ? "PASSED" : "FAILED",
      configuration: subjects.filter(({ name }) => name === MANIFEST_NAME)
        .map(resource),
      passedTests: [...cases.passed],
      warnedTests: [],
      failedTests: [...cases.failed],
    },
  };
}

/** A statement's bytes, as they are signed. */
export function statementBytes(statement: JsonObject): Uint8Array {
  return new TextEncoder().encode(canonicalJson(statement));
}

/**
 * Where a statement isn't the one that follows, or null. The order of its
 * subjects means nothing, and neither do fields that we don't know.
 */
export function statementDifference(
  expected: JsonObject,
  found: JsonObject,
): ValueDifference | null {
  const [one, other] = [bySubject(expected), bySubject(found)];
  return firstDifference(one, known(one, other));
}

/** A value without the fields that `expected` doesn't have, however deep. */
function known(expected: Json, found: Json): Json {
  if (Array.isArray(expected) && Array.isArray(found)) {
    return (found as readonly Json[]).map((one, at) =>
      at < expected.length ? known((expected as Json[])[at]!, one) : one
    );
  }
  return !isObject(expected) || !isObject(found) ? found : Object.fromEntries(
    Object.keys(expected).filter((key) => Object.hasOwn(found, key))
      .map((key) => [key, known(expected[key]!, found[key]!)]),
  );
}

function bySubject(statement: JsonObject): JsonObject {
  const { subject } = statement;
  if (!Array.isArray(subject)) return statement;
  const named = (subject as readonly Json[]).map((one) => ({
    one,
    name: canonicalJson([isObject(one) ? one["name"] ?? null : null, one]),
  }));
  named.sort((a, b) => a.name < b.name ? -1 : 1);
  return { ...statement, subject: named.map(({ one }) => one) };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
