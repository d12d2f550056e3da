import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import type { ReadMail } from './mail-content.ts';

/** How long reading one message may take. */
const READ_DEADLINE_MS = 10_000;
/** What reading one message may hold; 32 MiB of ordinary mail take a tenth. */
const READER_HEAP_MB = 512;

/** A message that cannot be delivered; the message says why, to whoever sent it in. */
export class UnreadableMailError extends Error {}

/** What the reader's thread answers. */
export type ReaderAnswer = { mail: ReadMail } | { refused: string };

let reader: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a message (RFC 5322, MIME) as it came from the wire. Whatever the bytes are, the process goes on: a thread of its own
 * reads them, one message at a time, within bounds of size, memory and time.
 * @throws UnreadableMailError
 */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  if (raw.byteLength > MAX_RAW_MESSAGE) {
    throw new UnreadableMailError(`is larger than ${MAX_RAW_MESSAGE / 1024 / 1024} MiB`);
  }
  const mine = last.then(() => readAlone(raw));
  last = mine.catch(() => {});
  return mine;
}

async function readAlone(raw: Uint8Array): Promise<ReadMail> {
  reader ??= new Worker(new URL('./mail-reader.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: READER_HEAP_MB },
  });
  const worker = reader;
  const deadline = AbortSignal.timeout(READ_DEADLINE_MS);
  // An idle reader keeps no process alive.
  worker.ref();
  worker.postMessage(raw);
  let answer: ReaderAnswer;
  try {
    [answer] = (await once(worker, 'message', { signal: deadline })) as [ReaderAnswer];
  } catch {
    reader = null;
    await worker.terminate();
    throw new UnreadableMailError(`takes too much ${deadline.aborted ? 'time' : 'memory'} to read`);
  }
  worker.unref();
  if ('refused' in answer) throw new UnreadableMailError(answer.refused);
  return answer.mail;
}
