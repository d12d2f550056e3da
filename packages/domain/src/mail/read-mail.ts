import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import { openThreads, TaskLimitError } from '../kernel/threads.ts';
import type { ReadMail } from './mail-content.ts';

/** 32 MiB of base64 are half as many. */
const MAX_LINES = 1_000_000;

/** A message that cannot be delivered; the message says why, to whoever sent it in. */
export class UnreadableMailError extends Error {}

/** What the reader's thread answers. */
export type ReaderAnswer = { mail: ReadMail } | { refused: string };

/**
 * Opens a reader of messages (RFC 5322, MIME) as they come from the wire. Whatever the bytes are, the process goes on: a
 * thread of its own reads them, one message at a time, within bounds of size, memory and time. A message that exceeds them
 * costs the thread, and the next one gets a new thread.
 */
export function openMailReader(limits: { heapMb: number; deadlineMs: number }) {
  const runTask = openThreads<Uint8Array, ReaderAnswer>(new URL('./mail-reader.ts', import.meta.url), {
    threads: 1,
    ...limits,
  });

  /** @throws UnreadableMailError; ApiError `unavailable` where no thread can be had */
  return async function readMail(raw: Uint8Array): Promise<ReadMail> {
    if (raw.byteLength > MAX_RAW_MESSAGE) {
      throw new UnreadableMailError(`is larger than ${MAX_RAW_MESSAGE / 1024 / 1024} MiB`);
    }
    if (hasTooManyLines(raw)) throw new UnreadableMailError(`has more than ${MAX_LINES} lines`);
    let answer: ReaderAnswer;
    try {
      answer = await runTask(raw);
    } catch (error) {
      if (error instanceof TaskLimitError)
        throw new UnreadableMailError(`takes too much ${error.limit} to read`);
      throw error;
    }
    if ('refused' in answer) throw new UnreadableMailError(answer.refused);
    return answer.mail;
  };
}

/** The reader of this process. 32 MiB of ordinary mail take half a second and a quarter of the memory. */
export const readMail = openMailReader({ heapMb: 512, deadlineMs: 10_000 });

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0;
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    if (++lines > MAX_LINES) return true;
  }
  return false;
}
