import fc from 'fast-check';

/** Generated values are the same in every run, unless FUZZ_SEED is set, as `pnpm test:nightly` does. */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) });
