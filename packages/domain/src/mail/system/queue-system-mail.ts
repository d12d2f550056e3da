import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { enqueueSending } from '../sending/send-job.ts';
import type { SystemMail, SystemMailKind } from './system-mail.ts';

interface NewSystemMail<Kind extends SystemMailKind> extends SystemMail<Kind> {
  /** What the mail is about: a second mail about the same is not sent. */
  about: string;
  /** Not sent after this time (ISO 8601). */
  sendUntil: string;
}

/** Stores a system mail, with the job that sends it. Does nothing if there is one about the same. */
export async function queueSystemMail<Kind extends SystemMailKind>(
  ctx: OperationContext,
  workspaceId: number,
  { kind, userId, about, content, sendUntil }: NewSystemMail<Kind>,
): Promise<void> {
  const id = randomUUID();
  const at = ctx.now.toISOString();
  // The numbers of messages and system mails are of one sequence.
  const { rows } = await sql`
    insert into outgoing_messages (workspace_id, id, alias, kind, user_id, about, content, send_at, send_until, is_automatic)
    values (${workspaceId}, ${id}, nextval('mail_messages_alias_seq'), ${kind}, ${userId}, ${about}, ${JSON.stringify(content)}::jsonb, ${at},
      ${sendUntil}, true)
    on conflict (workspace_id, about) where kind is not null do nothing
    returning id`.execute(ctx.db);
  if (rows.length === 0) return;
  await sql`
    insert into outgoing_recipients (workspace_id, message_id, position) values (${workspaceId}, ${id}, 1)`.execute(
    ctx.db,
  );
  await enqueueSending(ctx, { workspace: workspaceId, message: id, send_at: at, attempt: 0 }, 0);
}

export const systemMailRetention = retentionOfFirmTable({
  kind: 'system_mails',
  keptMs: 30 * DAY_MS,
  since: 'since it was written',
  table: 'outgoing_messages',
  at: 'send_at',
  where: 'kind is not null',
});
