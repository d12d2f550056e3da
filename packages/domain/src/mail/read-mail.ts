import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import { ApiError } from '../kernel/errors.ts';
import type { ReadMail } from './mail-content.ts';

/** 32 MiB of base64 are half as many. */
const MAX_LINES = 1_000_000;
/** Less than a transaction may rest. */
const START_MS = 20_000;

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
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function readAlone(raw: Uint8Array): Promise<ReadMail> {
    thread ??= await startThread(limits.heapMb);
    const mine = thread;
    const deadline = AbortSignal.timeout(limits.deadlineMs);
    // An idle thread keeps no process alive.
    mine.ref();
    mine.postMessage(raw);
    let answer: ReaderAnswer;
    try {
      [answer] = (await once(mine, 'message', { signal: deadline })) as [ReaderAnswer];
    } catch {
      thread = null;
      // Not waited for: a thread that collects garbage may be long in ending.
      void mine.terminate();
      throw new UnreadableMailError(`takes too much ${deadline.aborted ? 'time' : 'memory'} to read`);
    } finally {
      mine.unref();
    }
    if ('refused' in answer) throw new UnreadableMailError(answer.refused);
    return answer.mail;
  }

  /** @throws UnreadableMailError; ApiError `unavailable` where no thread can be had */
  return async function readMail(raw: Uint8Array): Promise<ReadMail> {
    if (raw.byteLength > MAX_RAW_MESSAGE) {
      throw new UnreadableMailError(`is larger than ${MAX_RAW_MESSAGE / 1024 / 1024} MiB`);
    }
    if (hasTooManyLines(raw)) throw new UnreadableMailError(`has more than ${MAX_LINES} lines`);
    const mine = last.then(() => readAlone(raw));
    last = mine.catch(() => {});
    return mine;
  };
}

/** The reader of this process. 32 MiB of ordinary mail take half a second and a quarter of the memory. */
export const readMail = openMailReader({ heapMb: 512, deadlineMs: 10_000 });

/** How long it takes says nothing of a message: on a busy machine, seconds. */
async function startThread(heapMb: number): Promise<Worker> {
  const thread = new Worker(new URL('./mail-reader.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  // Whoever waits hears of an error; one that comes after the deadline concerns nobody.
  thread.on('error', () => {});
  try {
    await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
    return thread;
  } catch (cause) {
    void thread.terminate();
    throw new ApiError('unavailable', { cause, retryAfterSeconds: 1 });
  }
}

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0;
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    if (++lines > MAX_LINES) return true;
  }
  return false;
}
