// Takes facts from the world and writes them down beside what is derived.

import type { JsonObject } from "../agent/json.ts";
import type {
  EventId,
  EventTable,
  Recorder,
  TimedWork,
} from "../agent/recorder.ts";
import type { Clock } from "../system/clock.ts";
import type { AuditRecord, EventKind } from "./audit_record.ts";
import type { AuditWriter } from "./audit_writer.ts";

/** What a live recorder works with. */
export interface LiveRecorderParts {
  readonly writer: AuditWriter;
  readonly clock: Clock;
  readonly runId: string;
  /** The proposal source's label. */
  readonly source: string;
  /** Event types that must be on the device before the run goes on. */
  readonly durable: readonly string[];
  /** Told of each record after it was written. */
  readonly notify?: (record: AuditRecord) => void;
}

/** Records a run while it happens. */
export class LiveRecorder implements Recorder<EventTable, EventTable> {
  proposalNumber = 0;
  readonly #parts: LiveRecorderParts;
  readonly #durable: ReadonlySet<string>;
  readonly #elapsedMs: Record<string, number> = {};

  constructor(parts: LiveRecorderParts) {
    this.#parts = parts;
    this.#durable = new Set(parts.durable);
  }

  fact(
    type: string,
    at: string,
    take: () => JsonObject | null,
  ): JsonObject | null {
    const content = take();
    if (content !== null) this.#append("fact", type, at, content);
    return content;
  }

  async factLater(
    type: string,
    at: string,
    take: () => Promise<JsonObject | null>,
  ): Promise<JsonObject | null> {
    const content = await take();
    if (content !== null) this.#append("fact", type, at, content);
    return content;
  }

  derived(type: string, content: JsonObject): EventId {
    return this.#append("derived", type, null, content);
  }

  timed<T>(kind: TimedWork, work: () => T): T {
    const before = this.#parts.clock.now();
    try {
      return work();
    } finally {
      this.#count(kind, this.#parts.clock.now() - before);
    }
  }

  async timedLater<T>(kind: TimedWork, work: () => Promise<T>): Promise<T> {
    const before = this.#parts.clock.now();
    try {
      return await work();
    } finally {
      this.#count(kind, this.#parts.clock.now() - before);
    }
  }

  elapsedMs(): JsonObject {
    const total = this.#parts.clock.now();
    return Object.fromEntries(
      Object.entries({ ...this.#elapsedMs, total })
        .map(([kind, ms]) => [kind, roundMs(ms)]),
    );
  }

  #count(kind: TimedWork, ms: number): void {
    this.#elapsedMs[kind] = (this.#elapsedMs[kind] ?? 0) + ms;
  }

  #append(
    kind: EventKind,
    event: string,
    at: string | null,
    content: JsonObject,
  ): EventId {
    const { writer, clock, runId, source, notify } = this.#parts;
    const record = writer.append({
      run_id: runId,
      event,
      kind,
      at,
      proposal_number: this.proposalNumber === 0 ? null : this.proposalNumber,
      monotonic_ms: roundMs(clock.now()),
      wall_time: clock.wallTime(),
      source,
      content,
    }, this.#durable.has(event));
    notify?.(record);
    return record.event_id;
  }
}

/** Milliseconds to the microsecond: more digits would only be noise. */
function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
