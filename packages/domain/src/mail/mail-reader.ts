/** The thread that reads mail for `read-mail.ts`: it says when it is ready; then bytes in, what is to be kept of the message out. */
import { parentPort } from 'node:worker_threads';

import './reader-globals.ts';

import PostalMime from 'postal-mime';
import { contentOf } from './mail-content.ts';
import type { ReaderAnswer } from './read-mail.ts';

const LIMITS = {
  maxNestingDepth: 64,
  /** Bytes, of all parts together. */
  maxHeadersSize: 1_048_576,
  maxRfc822NestingDepth: 4,
};

async function answerTo(raw: Uint8Array): Promise<ReaderAnswer> {
  try {
    return contentOf(await PostalMime.parse(raw, LIMITS), raw);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: `cannot be read: ${reason}` };
  }
}

parentPort!.postMessage('ready');
parentPort!.on('message', async (raw: Uint8Array) => {
  parentPort!.postMessage(await answerTo(raw));
});
