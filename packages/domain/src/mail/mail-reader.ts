/** The thread that reads mail for `read-mail.ts`: bytes in, what is to be kept of the message out. */
import './reader-globals.ts';

import PostalMime from 'postal-mime';
import { answerTasks } from '../kernel/answer-tasks.ts';
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

answerTasks(answerTo);
