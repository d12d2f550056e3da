/**
 * Returns the delay in milliseconds before a retry: random (full jitter), so that many clients do not retry together, and below a bound
 * that doubles with each attempt.
 */
export function jitteredDelay(attempts: number, baseMs: number, capMs: number): number {
  return Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(attempts, 30));
}

/** Resolves after a delay. Rejects with the signal's reason if the signal is aborted first. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
