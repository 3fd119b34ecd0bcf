import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import {
  EXTENSION,
  PINNED,
  TOLD_ACQUISITION,
  toldDeclaration,
} from "../../tests/told_model.ts";
import { modelContradiction } from "./model_declaration.ts";

const pinned = toldDeclaration(PINNED);
const core = toldDeclaration(PINNED, TOLD_ACQUISITION);
const extension = toldDeclaration(EXTENSION);
const files = (model: JsonObject) => model["files"] as JsonObject[];

/** The field of a declaration that no trial makes, or undefined. */
const field = (model: JsonObject, coreTrial = false) =>
  modelContradiction(model, coreTrial)?.field;

Deno.test("modelContradiction() takes what trials declare", () => {
  assert.equal(modelContradiction(core, true), null);
  assert.equal(modelContradiction(pinned, false), null);
  assert.equal(modelContradiction(extension, false), null);
});

Deno.test("modelContradiction() lets only the lab's checkpoint have a core trial", () => {
  assert.deepEqual(modelContradiction(extension, true), {
    message: "A core trial is one with the lab's own checkpoint",
    field: "model.pinned",
    expected: "true",
    found: "false",
  });
});

Deno.test("modelContradiction() holds the lab's checkpoint to the program's table", () => {
  const [first, ...others] = files(pinned);
  for (
    const [changed, where] of [
      [{ revision: "0".repeat(40) }, "model.revision"],
      [{ files: [{ ...first, bytes: 1 }, ...others] }, "model.files.0.bytes"],
      [{ files: others }, "model.files.0.name"],
      [
        { token_ids: { begin: 0, pad: 151_643, end: [151_645, 151_643] } },
        "model.token_ids.begin",
      ],
      [{ threads: { intra_op: 4, inter_op: 1 } }, "model.threads.intra_op"],
    ] as const
  ) {
    assert.equal(field({ ...core, ...changed }, true), where);
  }
});

Deno.test("modelContradiction() wants an acquisition of a core trial alone", () => {
  assert.deepEqual(modelContradiction(pinned, true), {
    message: "A core trial, and no other run, tells its model's acquisition",
    field: "model.acquisition",
    expected: "an object",
    found: "null",
  });
  assert.equal(field(core), "model.acquisition");
  const { elapsed_s: _, ...untimed } = TOLD_ACQUISITION;
  assert.equal(
    field({ ...core, acquisition: untimed }, true),
    "model.acquisition.elapsed_s",
  );
  const restarted = { ...TOLD_ACQUISITION, elapsed_s: null };
  assert.equal(field({ ...core, acquisition: restarted }, true), undefined);
});

Deno.test("modelContradiction() wants an extension to be one that can be declared", () => {
  const [first, ...others] = files(extension);
  const [, config, ...rest] = files(extension);
  assert.ok(config !== undefined);
  for (
    const [changed, where] of [
      [{ added: 1 }, "model.added"],
      [{ label: "" }, "model"],
      [{ files: [{ ...first, sha256: null }, ...others] }, "model"],
      [{ files: [first, ...rest] as JsonObject[] }, undefined],
      [{ files: others }, "model"],
      [{ files: "none" }, "model.files"],
      [{ threads: { intra_op: 4, inter_op: 1 } }, "model.threads.intra_op"],
    ] as const
  ) {
    assert.equal(
      field({ ...extension, ...changed } as JsonObject),
      where,
      JSON.stringify(changed).slice(0, 80),
    );
  }
});
