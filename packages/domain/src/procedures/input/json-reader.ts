/** The thread that parses large JSON for `read-json.ts`. */
import { createHash } from 'node:crypto';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { parseJson, UnreadableJsonError } from './parse-json.ts';
import type { JsonResult } from './read-json.ts';

function read(parts: readonly Uint8Array[]): JsonResult {
  const bytes = Buffer.concat(parts);
  try {
    return { value: parseJson(bytes), digest: createHash('sha256').update(bytes).digest() };
  } catch (error) {
    if (error instanceof UnreadableJsonError) return { error: error.message };
    throw error;
  }
}

serveTasks(read);
