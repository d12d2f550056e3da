import { sql } from 'kysely';
import { belongsTo, MAILBOX_READERS } from '../../access/policy.ts';
import { isSandbox } from '../../access/workspaces/sandbox.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
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
  send_until: string | null;
  slug: string;
}

/** The account that sends a message, and the mailbox from which it does. */
interface Sender {
  author_id: string;
  mailbox_id: number;
}

/** Whether the author of outgoing message `o` may write from the mailbox of its message. */
const MAY_SEND = `(o.author_id is null or exists (
    select from ${MAILBOX_READERS}
    join mail_messages n on n.workspace_id = $1 and n.mailbox_id = b.id
    where b.workspace_id = $1 and n.id = o.message_id and r.user_id = o.author_id and r.can_write))`;

/** Records that a message is being sent. Waits while it is locked. */
const START = {
  name: 'start-sending',
  text: `
    update outgoing_messages o set started_at = coalesce(o.started_at, $5)
    where o.workspace_id = $1 and o.id = $2 and o.attempts = $3 and o.send_at = $4::timestamptz and ${MAY_SEND}`,
};

const READ = {
  name: 'read-sending',
  text: `
    select o.kind, o.user_id, o.content, o.alias, o.send_until, o.is_automatic, w.slug, m.from_email, m.from_name,
      m.to_recipients, m.cc_recipients, m.subject, m.body, to_char(m.message_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date, m.internet_message_id, m.in_reply_to,
      m.reference_ids, (
        select coalesce(jsonb_agg(jsonb_build_object('position', q.position, 'email', q.email) order by q.position), '[]')
        from outgoing_recipients q
        where q.workspace_id = $1 and q.message_id = $2 and q.state = 'queued') as queued, (
        select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type, 'size', a.size, 'content', a.content,
          'scan', a.scan, 'content_id', f.file->>'content_id') order by f.place), '[]')
        from jsonb_array_elements(m.attachments) with ordinality as f (file, place)
        join attachments a on a.workspace_id = $1 and a.id = f.file->>'id') as files
    from outgoing_messages o
    left join mail_messages m on m.workspace_id = $1 and m.id = o.message_id
    join workspaces w on w.id = o.workspace_id
    where o.workspace_id = $1 and o.id = $2`,
};

/**
 * Begins an attempt to send a message, after which it cannot be taken back. Returns null if there is nothing to send: it was taken back or deleted, another
 * attempt is due, or its author may no longer send from the mailbox. Then it is a draft again, or has failed for those who have not got it yet.
 */
export async function beginSending(services: Services, job: SendMail): Promise<Sending | null> {
  const ctx = newContext(services);
  const { workspace, message, attempt, send_at } = job;
  const started = await services.pool.query({
    ...START,
    values: [workspace, message, attempt, send_at, ctx.now.toISOString()],
  });
  if (started.rowCount === 0) {
    await withTransaction(services, (inside) => refuse(inside, job));
    return null;
  }
  // A statement of its own: it must see what another attempt has recorded before it released the lock.
  const { rows } = await services.pool.query<OutgoingRow>({ ...READ, values: [workspace, message] });
  // It was deleted meanwhile.
  if (!rows[0]) return null;
  const { kind, slug, user_id, content, send_until, queued, ...stored } = rows[0];
  const reason = await whyNot(ctx, job, rows[0]);
  if (reason !== null) await stop(ctx, job, reason);
  const { alias } = stored;
  const mail = { alias, isSandbox: isSandbox({ slug }), queued: reason === null ? queued : [] };
  if (kind === null) return { ...stored, ...mail, kind };
  const date = new Date(send_at).toISOString();
  return { ...mail, kind, userId: user_id!, content, id: message, date };
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

/** Ends an attempt that has not started: its author may no longer write from the mailbox, or it is not the one that is due. */
async function refuse(ctx: OperationContext, job: SendMail): Promise<void> {
  const { db } = ctx;
  const { workspace, message } = job;
  const { rows } = await sql<Sender>`
    select o.author_id, m.mailbox_id from outgoing_messages o
    join mail_messages m on m.workspace_id = ${workspace} and m.id = o.message_id
    where o.workspace_id = ${workspace} and o.id = ${message} and o.attempts = ${job.attempt}
      and o.send_at = ${job.send_at}::timestamptz and o.author_id is not null
    for no key update of o`.execute(db);
  const [sender] = rows;
  if (!sender) return;
  if (await deleteDelayed(ctx, workspace, message)) {
    await makeDraft(ctx, workspace, message);
    await tellAuthor(ctx, workspace, sender.author_id, {
      title: 'Your message was not sent',
      body: `${NO_RIGHT} It is a draft again.`,
    });
  } else {
    await sql`
      update outgoing_recipients set state = 'failed', detail = ${NO_RIGHT}
      where workspace_id = ${workspace} and message_id = ${message} and state = 'queued'`.execute(db);
  }
  await publishMail(ctx, workspace, [sender.mailbox_id]);
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
