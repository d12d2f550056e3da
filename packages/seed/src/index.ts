export { DEMO_EMAIL, DEMO_PASSWORD, DEMO_TOKEN, demoSeed } from './demo/index.ts';
export { importWorldFile } from './file/import-world-file.ts';
export type { ImportProgress } from './file/progress-reporter.ts';
export type { ImportResult } from './import/id-map.ts';
export { importSeed } from './import/import-seed.ts';
export { type Problem, SeedError } from './problems.ts';
export { Seed, type SeedInput } from './schema.ts';
export { parseSeed, SeedIndex } from './seed-index.ts';
export { resolveTimestamp, TimestampError } from './times.ts';
