import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of generated requests for each endpoint and procedure. */
    fuzzRuns: number;
  }
}

/** `FUZZ_RUNS`: requests for each endpoint and procedure, instead of those of the test project. `FUZZ_SEED`: the random seed. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? inject('fuzzRuns'));
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

/** Timeout of the requests for one endpoint, on a busy machine. */
export const TIMEOUT_MS = 120_000 + RUNS * 1_000;

/** Asserts a property for `FUZZ_RUNS` values. A failure reports its seed; shrinking it has a time limit. */
export function assertProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, property), {
    seed: SEED,
    numRuns: RUNS,
    // Shrinking sends requests too.
    interruptAfterTimeLimit: TIMEOUT_MS - 5_000,
    markInterruptAsFailure: true,
    includeErrorInReport: true,
  });
}
