// The sweeps' own parts: they count right, they repeat, and they find a fault.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { Outcomes } from "../tasks/sweep/outcomes.ts";
import { RandomNumbers } from "../tasks/sweep/random_numbers.ts";
import { sweep } from "../tasks/sweep/sweep.ts";

Deno.test("Outcomes counts by name and by beginning", () => {
  const outcomes = new Outcomes();
  for (const one of ["b", "a: 1", "b", "a: 2"]) outcomes.add(one);
  assert.deepEqual(JSON.parse(JSON.stringify(outcomes)), {
    "a: 1": 1,
    "a: 2": 1,
    "b": 2,
  });
  assert.equal(`${outcomes}`, "     1  a: 1\n     1  a: 2\n     2  b\n");
  assert.deepEqual(
    [outcomes.total, outcomes.times("b"), outcomes.times("a")],
    [4, 2, 0],
  );
  assert.equal(outcomes.timesOf("a"), 2);
});

Deno.test("RandomNumbers are the same for the same seed, and spread", () => {
  const numbers = (seed: number) => {
    const random = new RandomNumbers(seed);
    return Array.from({ length: 1_000 }, () => random.below(10));
  };
  assert.deepEqual(numbers(1), numbers(1));
  assert.notDeepEqual(numbers(1), numbers(2));
  for (let digit = 0; digit < 10; digit++) {
    const times = numbers(3).filter((number) => number === digit).length;
    assert.ok(times > 50 && times < 150, `${times} times ${digit}`);
  }
});

Deno.test("sweep() goes on after a fault, and keeps its folder", async () => {
  const folders: string[] = [];
  const { outcomes, faults } = await sweep(3, 1, ({ number, folder }) => {
    folders.push(folder);
    fs.writeFileSync(`${folder}/found`, `${number}`);
    if (number !== 2) return Promise.resolve("well");
    throw new Error("Round two", { cause: new Error("because") });
  });
  const kept = `${folders[1]}-kept`;
  try {
    assert.equal(outcomes.times("well"), 2);
    assert.deepEqual(faults, [
      `Round 2, kept in ${kept}: Round two: because`,
    ]);
    assert.equal(fs.readFileSync(`${kept}/found`, "utf8"), "2");
    assert.deepEqual(folders.filter((folder) => fs.existsSync(folder)), []);
  } finally {
    fs.rmSync(kept, { recursive: true });
  }
});
