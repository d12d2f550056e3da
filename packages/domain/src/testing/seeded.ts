import fc from 'fast-check';

/** The same values every time; a nightly run begins elsewhere, and says where. */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) });
