import type { ScanState } from '@firmdesk/contract';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { z } from 'zod';
import { findAttachment, objectKey } from '../attachments/attachment-row.ts';
import type { scanFileJob } from '../attachments/request-scan.ts';
import { publishMail } from '../mail/streams/publish-mail.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import type { Services } from '../platform/services.ts';
import { MESSAGE_COLUMNS, toTicketMessage } from '../tickets/messages/ticket-message-row.ts';
import { messageEvent } from '../tickets/streams/publish.ts';

/** How many scanners a process runs at once. */
const limit = pLimit(2);

/** Handles `scanFileJob`: scans a file that waits for this, and shows the result in the message that contains it. Throws to try again. */
export async function scanFile(
  services: Services,
  { workspace, id }: z.infer<typeof scanFileJob.payload>,
): Promise<void> {
  const { scanner, objects, log } = services;
  const file = await findAttachment(services, workspace, id);
  if (file?.scan !== 'waiting' || !scanner) return;
  const scan = await limit(async () => {
    const content = await objects.read(objectKey(workspace, id, file.content));
    return content && scanner.scan(content);
  });
  if (!scan) return log.error({ attachment: id, place: objects.place }, 'the content of a file is missing');
  if (scan === 'infected') log.warn({ attachment: id }, 'a file contains malware and is not served');
  await withTransaction(services, (ctx) => store(ctx, workspace, id, scan));
}

/** The tables of messages of tickets with files, in the order in which a message passes through them. */
const TICKET_TABLES = ['delayed_sends', 'unsent_replies', 'ticket_messages'] as const;

async function store(
  ctx: OperationContext,
  workspace: number,
  id: string,
  scan: Exclude<ScanState, 'waiting'>,
): Promise<void> {
  const { db } = ctx;
  // Whoever takes the file into a message waits for this row, and finds the result in it.
  const { rows } = await sql<{ part_of: string | null; mail_message_id: string | null }>`
    update attachments set scan = ${scan} where workspace_id = ${workspace} and id = ${id} and scan = 'waiting'
    returning part_of, mail_message_id`.execute(db);
  const [file] = rows;
  if (!file?.part_of) return;
  const files = sql`(
    select jsonb_agg(case when a.value->>'id' = ${id} then a.value || jsonb_build_object('scan', ${scan}::text) else a.value end order by a.place)
    from jsonb_array_elements(attachments) with ordinality as a (value, place))`;
  const isMessage = (messageId: string) =>
    sql`workspace_id = ${workspace} and id = ${messageId} and attachments <> '[]'`;
  if (file.mail_message_id !== null) {
    const { rows: changed } = await sql<{ mailbox_id: number }>`
      update mail_messages set attachments = ${files}
      where ${isMessage(file.mail_message_id)} returning mailbox_id`.execute(db);
    return publishMail(
      ctx,
      workspace,
      changed.map(({ mailbox_id }) => mailbox_id),
    );
  }
  for (const table of TICKET_TABLES)
    await sql`
      update ${sql.table(table)} set attachments = ${files} where ${isMessage(file.part_of)}`.execute(db);
  const message = await db
    .selectFrom('ticket_messages')
    .select(MESSAGE_COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', file.part_of)
    .executeTakeFirst();
  if (message)
    await appendEvents(ctx, workspace, [messageEvent('message.updated', toTicketMessage(message))]);
}
