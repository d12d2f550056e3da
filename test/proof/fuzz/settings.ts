import fc from 'fast-check';

/** `FUZZ_RUNS` (200): requests of each endpoint and procedure; a nightly run asks for 10,000. `FUZZ_SEED`: where chance begins. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 200);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

/** How long the requests of one endpoint may take, on the busiest machine. */
export const TIMEOUT_MS = 120_000 + RUNS * 1_000;

/** Tries the property on `FUZZ_RUNS` values. What fails says its seed, and is made smaller for a while. */
export function holdsFor<T>(
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
