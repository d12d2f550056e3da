/** Waits for every step, also when another one fails, and then throws what failed. For the steps of a shutdown. */
export async function settleAll(steps: readonly unknown[]): Promise<void> {
  const results = await Promise.allSettled(steps);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, 'Several steps failed.', { cause: failures[0] });
}

/** Waits for a step, at most until the signal; returns whether it was done by then. One that fails later is ignored. */
export async function doneBefore(signal: AbortSignal, step: Promise<unknown>): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
  const abort = () => resolve(false);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([step.then(() => true), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
