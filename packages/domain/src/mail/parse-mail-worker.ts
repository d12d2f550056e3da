/** The worker thread of `parse-mail.ts`. */
import './postal-mime-globals.ts';

import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import PostalMime from 'postal-mime';
import { serveTasks } from '../platform/serve-tasks.ts';
import { isCalendarPart } from './mail-files.ts';
import type { RawMail } from './parse-mail.ts';
import { type ParseResult, toParsedMail } from './parsed-mail.ts';

/** Twice the number of lines in 32 MiB of base64. */
const MAX_LINES = 1_000_000;

const LIMITS = {
  maxNestingDepth: 64,
  /** In bytes, for all parts together. */
  maxHeadersSize: 1_048_576,
  maxRfc822NestingDepth: 4,
};

async function parse(message: RawMail): Promise<ParseResult> {
  const raw = message instanceof Uint8Array ? message : bytesOf(message);
  if (raw.byteLength > MAX_RAW_MESSAGE) {
    return { rejected: `must not be larger than ${MAX_RAW_MESSAGE / 1024 / 1024} MiB` };
  }
  if (hasTooManyLines(raw)) return { rejected: `must not have more than ${MAX_LINES} lines` };
  try {
    const email = await PostalMime.parse(raw, LIMITS);
    // The attachments of the message include those of enclosed messages, unless these are attachments themselves.
    const own = email.attachments.some(isCalendarPart)
      ? await PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true })
      : email;
    return toParsedMail(email, raw, own.attachments);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { rejected: `cannot be parsed: ${reason}` };
  }
}

function bytesOf({ text, encoding }: Exclude<RawMail, Uint8Array>): Uint8Array {
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0;
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    if (++lines > MAX_LINES) return true;
  }
  return false;
}

serveTasks(parse);
