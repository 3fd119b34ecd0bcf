// Lab Parts 1 and 2: what an acquisition may use, over all its attempts and
// whatever happens to the process. None of it can be set by a user; tests of the
// library inject smaller ones.

/** Bounds of one acquisition. */
export interface AcquisitionLimits {
  /** Most payload bytes over all attempts, in bytes. */
  readonly ceilingBytes: number;
  /** Most bytes reserved and not yet received, in bytes. */
  readonly reservationBytes: number;
  /** Requests that one file may have: the first and its one retry. */
  readonly requestsPerFile: number;
  /** From the opening of the window to the end of transfer, in seconds. */
  readonly acquireSeconds: number;
  /** From the opening of the window to its end, in seconds. */
  readonly windowSeconds: number;
  /** Longest wait for a connection or for the next byte, in milliseconds. */
  readonly idleMs: number;
  /** Wait before a retry that no server asked to delay, in milliseconds. */
  readonly retryDelayMs: number;
  /** Longest `Retry-After` that is waited for, in milliseconds. */
  readonly longestRetryDelayMs: number;
}

/** The lab's bounds. */
export const LAB_LIMITS: AcquisitionLimits = {
  ceilingBytes: 1_200_000_000,
  reservationBytes: 16 * 1024 * 1024,
  requestsPerFile: 2,
  acquireSeconds: 20 * 60,
  windowSeconds: 30 * 60,
  idleMs: 60_000,
  retryDelayMs: 1_000,
  longestRetryDelayMs: 120_000,
};

/** Most redirects of one request. */
export const MAX_REDIRECTS = 5;
