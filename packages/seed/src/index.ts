export { DEMO_EMAIL, DEMO_PASSWORD, DEMO_TOKEN, demoWorld } from './demo/index.ts';
export { importWorldFile } from './file/import-world-file.ts';
export type { ImportProgress } from './file/pace.ts';
export { importWorld } from './import/import-world.ts';
export type { Made } from './import/ledger.ts';
export { type Problem, WorldError } from './problems.ts';
export { World, type WorldInput } from './schema.ts';
export { resolveTimestamp, TimestampError } from './times.ts';
export { parseWorld, WorldIndex } from './world-index.ts';
