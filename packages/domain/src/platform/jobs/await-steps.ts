/** Waits for all steps of a shutdown, including after a failure, and then throws the failures. */
export async function awaitAll(steps: readonly unknown[]): Promise<void> {
  const results = await Promise.allSettled(steps);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, 'Several steps failed.', { cause: failures[0] });
}

/** Waits for a step until the signal aborts. Returns whether the step finished. A later failure is ignored. */
export async function finishesBefore(signal: AbortSignal, step: Promise<unknown>): Promise<boolean> {
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
