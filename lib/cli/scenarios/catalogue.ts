// Reads the scenarios as fixtures: from a checkout's folder, and as well from
// the files that a compiled binary carries.

import { type Scenario, scenarioSchema } from "./format.ts";

const FOLDER = new URL("../../../fixtures/scenarios/", import.meta.url);

/**
 * Every scenario, by name.
 *
 * @param folder Where the JSON files are.
 * @throws {Error} naming the file that is no scenario of this format, or has
 * another name than its scenario.
 */
export function readScenarios(folder: URL = FOLDER): readonly Scenario[] {
  return [...Deno.readDirSync(folder)]
    .map(({ name }) => name)
    .sort()
    .map((name) => readScenario(folder, name));
}

function readScenario(folder: URL, file: string): Scenario {
  const refuse = (why: string) =>
    new Error(`Cannot take "${file}" as a scenario: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(new URL(file, folder)));
  } catch (error) {
    throw refuse(error instanceof SyntaxError ? "it is no JSON" : `${error}`);
  }
  const parsed = scenarioSchema.safeParse(value);
  if (!parsed.success) throw refuse(parsed.error.message);
  if (`${parsed.data.name}.json` !== file) {
    throw refuse(`it calls itself "${parsed.data.name}"`);
  }
  return parsed.data;
}
