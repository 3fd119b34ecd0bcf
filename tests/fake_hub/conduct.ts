// One acquisition against a fake hub, and everything that can be said of it
// afterwards: outcome, ledger, disk, and what the server saw.

import type { Json } from "../../lib/agent/json.ts";
import { acquire } from "../../lib/acquire/acquisition.ts";
import { checkpointPlan } from "../../lib/acquire/checkpoint_plan.ts";
import type { LedgerContent } from "../../lib/acquire/ledger_format.ts";
import {
  type AcquisitionLimits,
  LAB_LIMITS,
} from "../../lib/acquire/limits.ts";
import { optIn } from "../../lib/acquire/opt_in.ts";
import { prepareAcquisition } from "../../lib/acquire/prepare.ts";
import { diskFiles } from "../../lib/system/files.ts";
import {
  machineResources,
  type Resources,
} from "../../lib/system/resources.ts";
import type { FakeHub } from "./hub.ts";

/** How an acquisition is to be conducted. */
export interface Conduct {
  readonly directory?: string;
  readonly from?: string;
  readonly limits?: Partial<AcquisitionLimits>;
  readonly resources?: Resources;
  readonly cancel?: AbortSignal;
  /** Told how many bytes of all files are there. */
  readonly onBytes?: (bytes: number) => void;
}

/** What became of it, in a form that is easy to compare. */
export interface Conducted {
  /** Null when everything is verified. */
  readonly code: string | null;
  readonly message: string;
  /** Per file: status, origin, and each request's outcome and bytes. */
  readonly files: Readonly<Record<string, string>>;
  /** Names in the model folder; partial files with their size. */
  readonly disk: readonly string[];
  /** What the server was asked for. */
  readonly asked: readonly string[];
  readonly settledBytes: number;
}

/** Limits that don't make a test wait. */
export const QUICK: Partial<AcquisitionLimits> = {
  idleMs: 20_000,
  retryDelayMs: 1,
};

/** Acquires into a folder below the current one. */
export async function conduct(
  hub: FakeHub | null,
  declaration: Json,
  options: Conduct = {},
): Promise<Conducted> {
  const directory = options.directory ?? "model";
  const made = checkpointPlan(declaration, { pinned: false, shownAs: "it" });
  if (!made.ok) throw new Error(made.refusal.why);
  const prepared = prepareAcquisition({
    directory,
    from: options.from ?? null,
    plan: made.plan,
    limits: { ...LAB_LIMITS, ...QUICK, ...options.limits },
    files: diskFiles,
    resources: options.resources ?? machineResources,
  });
  const end = prepared.ok
    ? await acquire({
      prepared: prepared.prepared,
      optIn: optIn("shown", "--yes", 0),
      cancel: options.cancel ?? new AbortController().signal,
      onProgress: ({ bytes }) => options.onBytes?.(bytes),
    })
    : { refusal: prepared.refusal, ledger: null };
  const ledger = end.ledger ?? ledgerOnDisk(directory);
  return {
    code: end.refusal?.code ?? null,
    message: end.refusal === null
      ? ""
      : `${end.refusal.what}: ${end.refusal.why}. ${end.refusal.next}.`,
    files: Object.fromEntries(
      (ledger?.files ?? []).map((file) => [file.name, summary(file)]),
    ),
    disk: listing(directory),
    asked: (hub?.seen ?? []).map((seen) =>
      `${seen.host} ${seen.name}${
        seen.fromByte === 0 ? "" : ` from ${seen.fromByte}`
      }`
    ),
    settledBytes: ledger?.bytes.settled ?? 0,
  };
}

function summary(file: LedgerContent["files"][number]): string {
  const requests = file.requests.map((request) =>
    `${request.outcome} ${request.payload_bytes}+${request.forfeited_bytes}`
  );
  return [
    `${file.status}${file.origin === null ? "" : ` ${file.origin}`}`,
    ...requests,
  ].join(", ");
}

function listing(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].map(({ name }) =>
      name.endsWith(".part")
        ? `${name} ${Deno.statSync(`${directory}/${name}`).size}`
        : name
    ).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function ledgerOnDisk(directory: string): LedgerContent | null {
  try {
    return JSON.parse(Deno.readTextFileSync(`${directory}/acquisition.json`));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
