import { type Attachment, MAX_MESSAGE_ATTACHMENTS, MAX_MESSAGE_LENGTH } from '@firmdesk/contract';
import { fileType, isProgram, storeReceivedFiles } from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newId } from '../../platform/process/ids.ts';
import { openThreads, TaskLimitError } from '../../platform/process/threads.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';
import { textOfHtml } from '../parsing/text-of-html.ts';

/** What a ticket gets of a mail. */
export interface TicketContent {
  text: string;
  files: Attachment[];
}

const toText = openThreads<string, string>(new URL('./ticket-text-worker.ts', import.meta.url), {
  threads: 1,
  heapMb: 256,
  deadlineMs: 10_000,
});

/**
 * Returns the text of a mail, whole unless it is too complex, and stores its files for the ticket. The text names those beyond the most that a message has. Throws `unavailable`.
 */
export async function prepareTicketContent(
  ctx: OperationContext,
  workspaceId: number,
  { body, files }: Pick<ParsedMail, 'body' | 'files'>,
): Promise<TicketContent> {
  const leftOut = files.slice(MAX_MESSAGE_ATTACHMENTS).map(({ name }) => name);
  const stored = files.slice(0, MAX_MESSAGE_ATTACHMENTS).map(({ name, content }) => ({
    content,
    file: {
      id: newId('attachment', ctx.now),
      name,
      type: fileType(content),
      size: content.length,
      deleted: false,
      ...(isProgram(content) && { program: true }),
      ...(ctx.services.scanner && { scan: 'waiting' as const }),
    },
  }));
  await storeReceivedFiles(ctx.services, workspaceId, stored);
  const note = leftOut.length === 0 ? '' : `[Files that only the mail has: ${leftOut.join(', ')}]\n\n`;
  return {
    text: `${note}${await textOf(workspaceId, body)}`.trim().slice(0, MAX_MESSAGE_LENGTH),
    files: stored.map(({ file }) => file),
  };
}

async function textOf(workspaceId: number, html: string): Promise<string> {
  try {
    return await toText(String(workspaceId), html);
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    return textOfHtml(html, { maxText: MAX_MESSAGE_LENGTH, maxTags: 5_000 });
  }
}
