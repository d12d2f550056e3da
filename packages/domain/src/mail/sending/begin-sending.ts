import { sql } from 'kysely';
import { belongsTo, MAILBOX_READERS } from '../../access/policy.ts';
import { isSandbox } from '../../access/workspaces/sandbox.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { type SystemMail, type SystemMailKind, systemMailRules } from '../system/system-mail.ts';
import { deleteDelayed, makeDraft } from './cancel-sending.ts';
import type { StoredMessage } from './compose.ts';
import { HAS_LEFT, NO_RIGHT, TOO_LATE } from './reasons.ts';
import type { SendMail } from './send-job.ts';
import { tellAuthor } from './tell-author.ts';

/** A message that an attempt sends, or a system mail that is still to be written. */
export type Sending = OutgoingMail &
  ((StoredMessage & { kind: null }) | (SystemMail & { id: string; date: string }));

interface OutgoingMail {
  alias: number | null;
  /** Whether its workspace is a sandbox, whose mail stays in sandboxes. */
  isSandbox: boolean;
  /** The recipients that still wait for it. The address of a system mail is known when it is written. */
  queued: { position: number; email: string | null }[];
}

interface OutgoingRow extends Omit<OutgoingMail, 'isSandbox'>, StoredMessage {
  kind: SystemMailKind | null;
  user_id: string | null;
  content: SystemMail['content'];
  mailbox_id: number;
  /** Null for mail that the product writes. */
  author_id: string | null;
  send_until: string | null;
  is_delayed: boolean;
  slug: string;
  /** Whether the author may write from the mailbox. */
  may_send: boolean;
}

/** The account that sends a message, and the mailbox from which it does. */
interface Sender {
  author_id: string;
  mailbox_id: number;
}

/**
 * Begins an attempt to send a message, after which it cannot be taken back. Returns null if there is nothing to send: it was taken back or deleted, another
 * attempt is due, or its author may no longer send from the mailbox. Then it is a draft again, or has failed for those who have not got it yet.
 */
export async function beginSending(services: Services, job: SendMail): Promise<Sending | null> {
  return withTransaction(services, async (ctx) => {
    const row = await lockOutgoing(ctx, job);
    if (!row) return null;
    const { kind, slug, mailbox_id, author_id, user_id, content, may_send, is_delayed, ...message } = row;
    if (author_id !== null && !may_send) {
      await refuse(ctx, job, { author_id, mailbox_id });
      return null;
    }
    const reason = await whyNot(ctx, job, row);
    if (reason !== null) await stop(ctx, job, reason);
    if (is_delayed) await start(ctx, job);
    const { alias } = message;
    const mail = { alias, isSandbox: isSandbox({ slug }), queued: reason === null ? message.queued : [] };
    if (kind === null) return { ...message, ...mail, kind };
    const date = new Date(job.send_at).toISOString();
    return { ...mail, kind, userId: user_id!, content, id: job.message, date };
  });
}

/** Returns why the product's mail is sent to nobody any more; null if it is sent. */
async function whyNot(
  { db, now }: OperationContext,
  { workspace }: SendMail,
  { kind, user_id, send_until }: OutgoingRow,
): Promise<string | null> {
  if (kind !== null && systemMailRules[kind].isOfMember) {
    const { rows } = await sql<{
      belongs: boolean;
    }>`select ${belongsTo(user_id!, workspace)} as belongs`.execute(db);
    if (!rows[0]!.belongs) return HAS_LEFT;
  }
  return send_until !== null && Date.parse(send_until) <= now.getTime() ? TOO_LATE : null;
}

async function lockOutgoing({ db }: OperationContext, job: SendMail): Promise<OutgoingRow | undefined> {
  const { rows: locked } = await sql`
    select from outgoing_messages
    where workspace_id = ${job.workspace} and id = ${job.message} and attempts = ${job.attempt}
      and send_at = ${job.send_at}::timestamptz
    for no key update`.execute(db);
  if (locked.length === 0) return undefined;
  // A statement of its own: it must see what another attempt has recorded before it released the lock.
  const { rows } = await sql<OutgoingRow>`
    select o.kind, o.user_id, o.content, o.alias, m.mailbox_id, o.author_id, o.send_until, o.is_automatic, o.started_at is null as is_delayed, w.slug, m.from_email, m.from_name,
      m.to_recipients, m.cc_recipients, m.subject, m.body, to_char(m.message_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date, m.internet_message_id, m.in_reply_to,
      m.reference_ids, exists (
        select from ${sql.raw(MAILBOX_READERS)}
        where b.workspace_id = ${job.workspace} and b.id = m.mailbox_id and r.user_id = o.author_id and r.can_write) as may_send, (
        select coalesce(jsonb_agg(jsonb_build_object('position', q.position, 'email', q.email) order by q.position), '[]')
        from outgoing_recipients q
        where q.workspace_id = ${job.workspace} and q.message_id = ${job.message} and q.state = 'queued') as queued, (
        select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type, 'size', a.size, 'content', a.content,
          'scan', a.scan, 'content_id', f.file->>'content_id') order by f.place), '[]')
        from jsonb_array_elements(m.attachments) with ordinality as f (file, place)
        join attachments a on a.workspace_id = ${job.workspace} and a.id = f.file->>'id') as files
    from outgoing_messages o
    left join mail_messages m on m.workspace_id = ${job.workspace} and m.id = o.message_id
    join workspaces w on w.id = o.workspace_id
    where o.workspace_id = ${job.workspace} and o.id = ${job.message}`.execute(db);
  return rows[0];
}

async function refuse(ctx: OperationContext, job: SendMail, row: Sender): Promise<void> {
  const { workspace, message } = job;
  if (await deleteDelayed(ctx, workspace, message)) {
    await makeDraft(ctx, workspace, message);
    await tellAuthor(ctx, workspace, row.author_id, {
      title: 'Your message was not sent',
      body: `${NO_RIGHT} It is a draft again.`,
    });
  } else {
    await sql`
      update outgoing_recipients set state = 'failed', detail = ${NO_RIGHT}
      where workspace_id = ${workspace} and message_id = ${message} and state = 'queued'`.execute(ctx.db);
  }
  await publishMail(ctx, workspace, [row.mailbox_id]);
}

/** Ends the attempts to send a message to those who still wait for it. */
async function stop(
  { db }: OperationContext,
  { workspace, message }: SendMail,
  reason: string,
): Promise<void> {
  await sql`
    update outgoing_recipients set state = 'not_sent', detail = ${reason}
    where workspace_id = ${workspace} and message_id = ${message} and state = 'queued'`.execute(db);
}

/** Records that a message is being sent. */
async function start({ db, now }: OperationContext, { workspace, message }: SendMail): Promise<void> {
  const at = now.toISOString();
  await sql`
    update outgoing_messages set started_at = ${at} where workspace_id = ${workspace} and id = ${message}`.execute(
    db,
  );
}
