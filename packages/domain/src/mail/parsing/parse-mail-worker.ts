/** The worker thread of `parse-mail.ts`. */
import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { readMessage } from '../mime/read-message.ts';
import { MessageLimitError } from '../mime/split-message.ts';
import type { RawMail } from './parse-mail.ts';
import { type ParseResult, toParsedMail } from './parsed-mail.ts';

/** Twice the number of lines in 36 MiB of base64. */
const MAX_LINES = 1_000_000;

async function parse(message: RawMail): Promise<ParseResult> {
  const raw = bytesOf(message);
  if (raw.length > MAX_RAW_MESSAGE) {
    return { rejected: `must not be larger than ${MAX_RAW_MESSAGE / 1024 / 1024} MiB` };
  }
  if (hasTooManyLines(raw)) return { rejected: `must not have more than ${MAX_LINES} lines` };
  try {
    return toParsedMail(await readMessage(raw), raw);
  } catch (error) {
    if (error instanceof MessageLimitError) return { rejected: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { rejected: `cannot be parsed: ${reason}` };
  }
}

function bytesOf(message: RawMail): Buffer {
  if (message instanceof Uint8Array) {
    return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  }
  return Buffer.from(message.text, message.encoding === 'base64' ? 'base64' : 'utf8');
}

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0;
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    if (++lines > MAX_LINES) return true;
  }
  return false;
}

serveTasks(parse);
