export { DEMO_EMAIL, DEMO_PASSWORD, DEMO_TOKEN, demoWorld } from './demo/index.ts';
export { type FileImportOptions, importWorldFile } from './file/import-world-file.ts';
export type { ImportProgress } from './file/pace.ts';
export { type ImportOptions, importWorld } from './import/import-world.ts';
export type { IcsReport, Made } from './import/ledger.ts';
export { formatPath, type Path, type Problem, problemsOf, WorldError } from './problems.ts';
export {
  World,
  type WorldInput,
  type WorldList,
  type WorldRecord,
  type WorldRecordInput,
  worldLists,
} from './schema.ts';
export { parseDuration, resolveTimestamp, TimestampError } from './times.ts';
export { parseWorld, WorldIndex } from './world-index.ts';
