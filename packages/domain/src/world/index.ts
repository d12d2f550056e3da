export { formatPath, type Problem, problemsOf, WorldError } from './problems.ts';
export { parseWorld, WorldIndex } from './references.ts';
export {
  World,
  type WorldInput,
  type WorldList,
  type WorldRecord,
  type WorldRecordInput,
  worldLists,
} from './schema.ts';
export { parseDuration, resolveTimestamp, TimestampError } from './times.ts';
