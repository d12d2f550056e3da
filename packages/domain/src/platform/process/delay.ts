import { setTimeout } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. Never rejects. */
export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}
