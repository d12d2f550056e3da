import { setTimeout } from 'node:timers/promises';

const SLICE_MS = 50;
/** The most that one slice counts. */
const LONGEST_SLICE_MS = 2 * SLICE_MS;

/**
 * Resolves after the process has run for so many milliseconds, or when the signal aborts. Time in which it was stopped, or waited long for a
 * processor, does not count: a plain timer would expire before what arrived in that time is read.
 */
export async function runningTime(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && !signal?.aborted; ) {
    const begun = performance.now();
    await setTimeout(Math.min(left, SLICE_MS), null, signal && { signal }).catch(() => {});
    left -= Math.min(performance.now() - begun, LONGEST_SLICE_MS);
  }
}
