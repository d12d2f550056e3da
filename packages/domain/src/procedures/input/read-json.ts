import { openThreads, TaskLimitError } from '../../platform/process/threads.ts';
import { UnreadableJsonError } from './parse-json.ts';

/** The result of the thread: the parsed value, or the reason for which the JSON was not accepted. */
export type JsonResult = { value: unknown; digest: Uint8Array } | { error: string };

const parse = openThreads<readonly Uint8Array[], JsonResult>(new URL('./json-reader.ts', import.meta.url), {
  threads: 1,
  heapMb: 512,
  deadlineMs: 10_000,
});

/**
 * Parses and hashes megabytes of JSON in a thread, because either would block the event loop. Limits the number of values and their
 * depth. The bodies of an account wait in one queue. Transfers the bytes, which are given in parts, to the thread: the caller must not use them again.
 *
 * Throws {@link UnreadableJsonError}, and what {@link openThreads} does.
 */
export async function readLargeJson(
  account: string,
  parts: readonly Uint8Array<ArrayBuffer>[],
): Promise<{ value: unknown; digest: Uint8Array }> {
  // A short part can lie in a buffer that Node shares, and is copied.
  const whole = parts.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength);
  const transfer = whole.map(({ buffer }) => buffer);
  const result = await parse(account, parts, transfer).catch((error: unknown) => {
    if (error instanceof TaskLimitError)
      throw new UnreadableJsonError(`takes too much ${error.limit} to read`);
    throw error;
  });
  if ('error' in result) throw new UnreadableJsonError(result.error);
  return result;
}
