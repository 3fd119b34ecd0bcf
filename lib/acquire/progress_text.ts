// Progress on a line: bytes, rate and time left, per file and in total.

import type { TransferProgress } from "./messages.ts";

/** Rate over the last seconds, in bytes a second; null before it is known. */
export class TransferRate {
  readonly #samples: { readonly ms: number; readonly bytes: number }[] = [];

  /**
   * Takes note of how many bytes there are.
   *
   * @param ms Monotonic time, in milliseconds.
   */
  sample(ms: number, bytes: number): void {
    this.#samples.push({ ms, bytes });
    while (
      this.#samples.length > 2 && this.#samples[1]!.ms <= ms - WINDOW_MS
    ) this.#samples.shift();
  }

  /** Bytes a second; null while there is nothing to tell it from. */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined) return null;
    const ms = last.ms - first.ms;
    return ms < LEAST_MS ? null : (last.bytes - first.bytes) * 1_000 / ms;
  }
}

/** How far back the rate looks, in milliseconds. */
const WINDOW_MS = 5_000;
/** Least time that a rate is told from, in milliseconds. */
const LEAST_MS = 400;

/** One line about a transfer, without its newline. */
export function progressText(
  progress: TransferProgress,
  bytesPerSecond: number | null,
): string {
  const { file, fileBytes, fileTotalBytes, bytes, totalBytes } = progress;
  if (progress.verified) {
    return `${file}: verified, ${megabytes(fileTotalBytes)}` +
      ` (${megabytes(bytes)} of ${megabytes(totalBytes)} in total)`;
  }
  const rate = bytesPerSecond === null || bytesPerSecond <= 0
    ? ""
    : `, ${megabytes(bytesPerSecond)}/s, ` +
      `${timeText((totalBytes - bytes) / bytesPerSecond)} left`;
  return `${file}: ${megabytes(fileBytes)} of ${megabytes(fileTotalBytes)}` +
    ` (${percent(bytes, totalBytes)} of ${
      megabytes(totalBytes)
    } in total${rate})`;
}

function megabytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : `${(bytes / 1e9).toFixed(2)} GB`;
}

function percent(part: number, whole: number): string {
  return `${Math.floor(100 * part / whole)}%`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
