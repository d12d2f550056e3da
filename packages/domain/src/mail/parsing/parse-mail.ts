import { openThreads, TaskLimitError } from '../../platform/process/threads.ts';
import type { ParsedMail, ParseResult } from './parsed-mail.ts';

/** A message as received (RFC 5322): bytes, or a text that encodes them. */
export type RawMail = Uint8Array | { text: string; encoding: 'base64' | 'text' };

/** A message that cannot be parsed. The error's message states the reason, as the end of a sentence about the field `raw`. */
export class UnreadableMailError extends Error {}

/**
 * Creates a parser for untrusted messages. A worker thread parses one message at a time, within limits of size, memory and time.
 * The time of a message starts when its parsing starts. A message that exceeds a limit ends the thread; the next one gets a new
 * thread.
 */
export function createMailParser(limits: { heapMb: number; deadlineMs: number }) {
  const parse = openThreads<RawMail, ParseResult>(new URL('./parse-mail-worker.ts', import.meta.url), {
    threads: 1,
    ...limits,
  });

  /** Parses a message, which waits in a queue. Throws {@link UnreadableMailError}, and what {@link openThreads} does. */
  return async function parseMail(queue: string, message: RawMail): Promise<ParsedMail> {
    const result = await parse(queue, message).catch((error: unknown) => {
      if (error instanceof TaskLimitError)
        throw new UnreadableMailError(`takes too much ${error.limit} to parse`);
      throw error;
    });
    if ('rejected' in result) throw new UnreadableMailError(result.rejected);
    return result.mail;
  };
}

/** The parser of this process. 36 MiB of ordinary mail take half a second and a quarter of the memory. */
export const parseMail = createMailParser({ heapMb: 512, deadlineMs: 10_000 });
