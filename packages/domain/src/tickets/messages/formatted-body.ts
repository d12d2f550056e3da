import { hasVisibleText, MAX_FORMATTED_LENGTH, MAX_MESSAGE_LENGTH } from '@firmdesk/contract';
import { invalidField } from '../../platform/process/errors.ts';
import { openThreads, TaskLimitError } from '../../platform/process/threads.ts';
import { type CleanedText, cleanFormatted } from './formatted-text.ts';

/** A longer text is cleaned in a thread: it would block the event loop. */
const MAX_INLINE_LENGTH = 10_000;

const cleanInThread = openThreads<string, CleanedText>(
  new URL('./formatted-text-worker.ts', import.meta.url),
  {
    threads: 1,
    heapMb: 256,
    deadlineMs: 10_000,
  },
);

/**
 * Returns the body of a message as it is stored: with formatting, the text of that. Throws `validation_failed` if it is too long, `rate_limited` and
 * `unavailable`.
 */
export async function bodyOf(
  workspaceId: number,
  { body, body_html }: { body: string; body_html?: string | undefined },
): Promise<{ body: string; bodyHtml: string | null }> {
  const plain = { body, bodyHtml: null };
  if (body_html === undefined || body === '') return plain;
  const { html, text } = await clean(workspaceId, body_html);
  if (html === null || !hasVisibleText(text)) return plain;
  if (text.length > MAX_MESSAGE_LENGTH)
    throw invalidField('body', `must have at most ${MAX_MESSAGE_LENGTH} characters`);
  if (html.length > MAX_FORMATTED_LENGTH) throw tooComplex();
  return { body: text, bodyHtml: html };
}

async function clean(workspaceId: number, html: string): Promise<CleanedText> {
  if (html.length <= MAX_INLINE_LENGTH) return cleanFormatted(html);
  try {
    return await cleanInThread(String(workspaceId), html);
  } catch (error) {
    throw error instanceof TaskLimitError ? tooComplex(error) : error;
  }
}

function tooComplex(cause?: Error) {
  return invalidField('body_html', 'has too much formatting', cause);
}
