// A current folder in which trials of the player are conducted one after the
// other, or at once: one model folder, one engine.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { ENGINE_FILES, ENGINE_ROOT } from "../../lib/model/engine.ts";
import { contentsOf, digestOf } from "../../tests/closed_run.ts";
import { PLAYER_TRIAL, unpackPlayer } from "../../tests/player_fixture.ts";

/** Where trials of the player are conducted. */
export class TrialStage {
  /** The current folder. */
  readonly path: string;
  readonly #model: string;

  /** @param path An existing, empty folder. */
  constructor(path: string) {
    this.path = path;
    unpackPlayer(path);
    this.#model = this.#modelDigest();
  }

  /** The words of a trial in the folder `run`. */
  words(run: string): string[] {
    return ["--run", run, ...PLAYER_TRIAL.slice(2)];
  }

  /** Takes the engine away, so that the next trial writes it anew. */
  removeEngine(): void {
    fs.rmSync(`${this.path}/${ENGINE_ROOT}`, { recursive: true, force: true });
  }

  /**
   * Asserts that whoever comes next finds an engine that it may take: whole
   * files under their names, and nothing else but what is swept up.
   *
   * @param whole Whether the engine must be complete, with nothing left over.
   */
  assertEngine(whole: boolean): void {
    const root = `${this.path}/${ENGINE_ROOT}`;
    const files = fs.existsSync(root)
      ? fs.readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
      : [];
    const known = ENGINE_FILES[PLATFORM] ?? {};
    for (const { name, parentPath } of files) {
      const digest = known[name];
      if (digest === undefined) {
        assert.ok(!whole && name.endsWith(".part"), `${name} is left over`);
      } else {
        const bytes = fs.readFileSync(`${parentPath}/${name}`);
        assert.equal(digestOf(bytes), digest, `${name} isn't the engine's`);
      }
    }
    if (whole) {
      assert.deepEqual(
        files.map(({ name }) => name).sort(),
        Object.keys(known).sort(),
      );
    }
  }

  /** Asserts that no trial has touched the model's files. */
  assertModel(): void {
    assert.equal(this.#modelDigest(), this.#model);
  }

  #modelDigest(): string {
    return digestOf(JSON.stringify(contentsOf(`${this.path}/player`)));
  }
}

const PLATFORM = `${Deno.build.os}/${
  Deno.build.arch === "aarch64" ? "arm64" : "x64"
}`;
