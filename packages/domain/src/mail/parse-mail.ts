import { openThreads, TaskLimitError } from '../platform/threads.ts';
import type { ParsedMail, ParseResult } from './parsed-mail.ts';

/** A message as it came from the wire (RFC 5322): its bytes, or a text that stands for them. */
export type RawMail = Uint8Array | { text: string; encoding: 'base64' | 'text' };

/** A message that cannot be delivered; the error's message says why, to whoever sent it in. */
export class UnreadableMailError extends Error {}

/**
 * Opens a reader of messages as they come from the wire. Whatever the bytes are, the process goes on: a thread of its own reads
 * them, one message at a time, within bounds of size, memory and time, which a message that waits for its turn does not use up. A
 * message that exceeds them costs the thread, and the next one gets a new thread.
 */
export function createMailParser(limits: { heapMb: number; deadlineMs: number }) {
  const read = openThreads<RawMail, ParseResult>(new URL('./parse-mail-thread.ts', import.meta.url), {
    threads: 1,
    ...limits,
  });

  /** @throws UnreadableMailError; ApiError `unavailable` where no thread can be had */
  return async function parseMail(message: RawMail): Promise<ParsedMail> {
    const answer = await read(message).catch((error: unknown) => {
      if (error instanceof TaskLimitError)
        throw new UnreadableMailError(`takes too much ${error.limit} to read`);
      throw error;
    });
    if ('refused' in answer) throw new UnreadableMailError(answer.refused);
    return answer.mail;
  };
}

/** The reader of this process. 32 MiB of ordinary mail take half a second and a quarter of the memory. */
export const parseMail = createMailParser({ heapMb: 512, deadlineMs: 10_000 });
