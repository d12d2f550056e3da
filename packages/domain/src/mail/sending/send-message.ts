import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import {
  MAX_SEND_AHEAD_DAYS,
  MAX_SENT_BYTES,
  MAX_SENT_PER_DAY,
  SEND_DELAY_SECONDS,
  type SendMailInput,
  type SentMessage,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type AnsweredMessage, referencesOf } from '../drafts/answered-message.ts';
import { type SavedDraft, storeDraft } from '../drafts/save-draft.ts';
import { selectMessages, toListRow } from '../messages/mail-message-row.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { findDelivery } from './find-delivery.ts';
import { enqueueSending } from './send-job.ts';

type Input = z.output<typeof SendMailInput>;

/**
 * Sends a message: stores it in the sent folder, with its files and the job that sends it. It is delayed for some seconds, or until `send_at`, and can be taken
 * back meanwhile. A draft that is sent becomes the message. Throws `resource_not_found` (mailbox, draft, file, answered message),
 * `not_a_draft`, `validation_failed`, `rate_limited`.
 */
export async function sendMessage(ctx: AccountContext, input: Input): Promise<SentMessage> {
  const sendTime = sendTimeOf(ctx, input.send_at);
  const { saved, answered } = await storeDraft(ctx, input);
  await ensureSize(ctx, input, saved.id);
  await countMessage(ctx);
  await moveToSent(
    ctx,
    saved,
    answered,
    input.send_at === undefined ? saved.message_at : sendTime.toISOString(),
  );
  await insertOutgoing(ctx, saved.id, recipientsOf(input), sendTime);
  const { workspace, now } = ctx;
  const job = { workspace: workspace.id, message: saved.id, send_at: sendTime.toISOString(), attempt: 0 };
  await enqueueSending(ctx, job, sendTime.getTime() - now.getTime());
  await publishMail(ctx, workspace.id, [saved.mailbox_id]);
  const row = await selectMessages(ctx).where('m.id', '=', saved.id).executeTakeFirstOrThrow();
  return { ...toListRow(row), delivery: (await findDelivery(ctx, saved.id))! };
}

function sendTimeOf({ now }: AccountContext, sendAt: string | undefined): Date {
  const soonest = now.getTime() + SEND_DELAY_SECONDS * 1_000;
  const wanted = sendAt === undefined ? soonest : Date.parse(sendAt);
  if (wanted > now.getTime() + MAX_SEND_AHEAD_DAYS * DAY_MS)
    throw invalidField('send_at', `must be at most ${MAX_SEND_AHEAD_DAYS} days ahead`);
  return new Date(Math.max(soonest, wanted));
}

/** Returns each address once: `Cc` can repeat one of `To`. */
function recipientsOf({ to, cc, bcc }: Input): string[] {
  const byKey = new Map([...to, ...cc, ...bcc].map((email) => [email.toLowerCase(), email]));
  return [...byKey.values()];
}

/** Throws `validation_failed` if the text and the files are too large together. */
async function ensureSize({ db, workspace }: AccountContext, { body }: Input, id: string): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::float8 as bytes from attachments
    where workspace_id = ${workspace.id} and mail_message_id = ${id}`.execute(db);
  if (rows[0]!.bytes + Buffer.byteLength(body) > MAX_SENT_BYTES)
    throw invalidField(
      'attachments',
      `must have at most ${MAX_SENT_BYTES / 1024 / 1024} MB together with the text`,
    );
}

/** Counts a message of the account. Throws `rate_limited` if it has sent too many on this day (UTC). */
async function countMessage({ db, workspace, identity, now }: AccountContext): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql<{ sent: number }>`
    insert into mail_usage as u (workspace_id, user_id, day, sent) values (${workspace.id}, ${identity.user.id}, ${day}, 1)
    on conflict (workspace_id, user_id) do update set day = excluded.day,
      sent = case when u.day = excluded.day then u.sent else 0 end + 1
    returning sent`.execute(db);
  if (rows[0]!.sent <= MAX_SENT_PER_DAY) return;
  throw new ApiError('rate_limited', {
    message: `The account has sent ${MAX_SENT_PER_DAY} messages today, the maximum. The count begins anew at midnight UTC.`,
    retryAfterSeconds: Math.ceil((Date.parse(day) + DAY_MS - now.getTime()) / 1_000),
    limit: 'mail_per_account',
  });
}

async function moveToSent(
  { db, workspace }: AccountContext,
  { id, from_email }: SavedDraft,
  answered: AnsweredMessage | null,
  messageAt: string,
): Promise<void> {
  const messageId = `${randomUUID()}@${domainToASCII(from_email.slice(from_email.lastIndexOf('@') + 1))}`;
  await sql`
    update mail_messages set folder = 'sent', previous_folder = null, is_read = true, message_at = ${messageAt},
      internet_message_id = ${messageId}, in_reply_to = ${answered?.internet_message_id ?? null},
      reference_ids = ${answered ? referencesOf(answered) : []}::text[]
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
}

async function insertOutgoing(
  { db, workspace, identity }: AccountContext,
  id: string,
  recipients: readonly string[],
  sendTime: Date,
): Promise<void> {
  await sql`
    insert into outgoing_messages (workspace_id, id, message_id, alias, author_id, send_at)
    select workspace_id, id, id, alias, ${identity.user.id}::text, ${sendTime.toISOString()}::timestamptz
    from mail_messages where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  await sql`
    insert into outgoing_recipients (workspace_id, message_id, position, email)
    select ${workspace.id}::integer, ${id}::text, r.position, r.email
    from unnest(${recipients}::text[]) with ordinality as r (email, position)`.execute(db);
}
