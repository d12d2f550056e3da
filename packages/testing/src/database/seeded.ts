import fc from 'fast-check';

/** Makes generated values the same in every run. `pnpm test:nightly` sets another seed in FUZZ_SEED. */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) });
