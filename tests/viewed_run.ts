// Runs made in this process for whoever reads one: any attempts, as any source
// would make them, over real files in a fresh folder.

import type { Attempt, Loaded } from "../lib/agent/source.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import { conductLabRun } from "../lib/cli/lab_run.ts";
import { WALLS } from "../lib/cli/probe_room.ts";
import { openRunView } from "../lib/cli/lab_view.ts";
import type { RunView } from "../lib/evidence/run_view.ts";
import type { Files } from "../lib/system/files.ts";
import {
  countingClock,
  freshFolder,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { declaredManifest } from "./declared_manifest.ts";

/** A run to be viewed. */
export interface ViewedRun extends Disposable {
  /** Real path of its folder. */
  readonly folder: string;
  /** Its view, as it is now. */
  view(): RunView;
}

/** What a run is made of. */
export interface MadeOf {
  readonly files?: Files;
  readonly source?: string;
  readonly coreTrial?: boolean;
  readonly extension?: string | null;
  readonly model?: JsonObject | null;
  readonly loaded?: Loaded;
  /** Wall time at which it began. */
  readonly created?: string;
}

/** Bytes that are a text. */
export type Proposed = string | Omit<Attempt, "elapsed_ms">;

/**
 * Makes a run of these attempts; `using` removes it.
 *
 * @param proposed Texts, or attempts with what their source tells.
 */
export async function viewedRun(
  proposed: readonly Proposed[],
  made: MadeOf = {},
): Promise<ViewedRun> {
  const fresh = freshFolder();
  const { files = unflushedFiles, source = "scripted", loaded } = made;
  const clock = countingClock();
  const manifest = declaredManifest({
    runId: RUN_ID,
    created: made.created ?? "2026-01-01T00:00:00.000Z",
    enforced: Object.fromEntries(WALLS.map((wall) => [wall, "denied"])),
  }, {
    source,
    coreTrial: made.coreTrial ?? false,
    extension: made.extension ?? null,
    runtime: { tinycoder: "0.1.0", deno: "2.9.4", os: "linux", arch: "x86_64" },
    model: made.model ?? null,
  });
  await conductLabRun({
    files,
    folder: fresh.path,
    manifest,
    source: {
      ...loaded === undefined ? {} : { load: () => Promise.resolve(loaded) },
      propose: ({ proposalNumber }) => {
        const one = proposed[proposalNumber - 1] ??
          { failed: "cancelled" as const };
        return Promise.resolve({
          ...typeof one === "string" ? { proposal_text: one } : one,
          elapsed_ms: 1,
        });
      },
    },
    gate: openGate,
    clock,
  });
  return {
    folder: fresh.path,
    view: () => openRunView(unflushedFiles, fresh.path),
    [Symbol.dispose]: () => fresh[Symbol.dispose](),
  };
}

/** The id of every made run. */
export const RUN_ID = "00000000-0000-4000-8000-000000000000";

/** What a model's source tells about one generation. */
export function generation(
  text: string,
  tokens: {
    readonly input: number;
    readonly reused?: number;
    readonly output: number;
    readonly ceiling?: boolean;
  },
): Proposed {
  return {
    proposal_text: text,
    source_facts: {
      input_tokens: tokens.input,
      input_ids: Array.from({ length: tokens.input }, (_, at) => at),
      reused_tokens: tokens.reused ?? 0,
      output_tokens: tokens.output,
      raw_output_ids: Array.from({ length: tokens.output }, (_, at) => at),
      ceiling_reached: tokens.ceiling ?? false,
    },
  };
}

/** The lab's repair (lab Part 7), as its six texts. */
export const REPAIR = [
  '{"action":"read","file":"toy_math.py"}',
  '{"action":"test"}',
  '{"action":"replace","function":"clamp","old":"x",' +
  '"new":"lo if x < lo else hi if x > hi else x","version":0}',
  '{"action":"replace","function":"total","old":"unit + qty + fee",' +
  '"new":"unit * qty + fee","version":1}',
  '{"action":"test"}',
  '{"action":"finish","version":2}',
] as const;

/** Attempts that try to be more than text, and some that are none. */
export const HOSTILE: readonly Proposed[] = [
  "</script></style></pre><script>alert(1)</script><img src=x onerror=alert(1)>",
  '{"action":"read","file":"toy_math.py"}',
  "\u202eright to left\u202c \u200bzero width \x1b[31mred\x1b[0m " +
  "\x07\x9b2J \u2028 \ufeff" + "`|&lt;b&gt;".repeat(8),
  '{"action":"replace","function":"clamp","old":"x",' +
  '"new":"lo if x < lo else hi","version":0}',
  { proposal_base64: "//57fQ==" },
  `${"A".repeat(2_048)}`,
];

/** A character that no text for a person may hold, but for the line feed. */
export const UNSAFE_CHARACTER: RegExp =
  // deno-lint-ignore no-control-regex -- it is about control characters
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
