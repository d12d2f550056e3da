import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import { writeWebhookEvents } from '../../webhooks/index.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { type SystemMailKind, systemMailRules } from '../system/system-mail.ts';
import { checkDeliverability } from './deliverability.ts';
import { OF_SANDBOX } from './reasons.ts';
import { enqueueSending, type SendMail } from './send-job.ts';
import { tellAuthor } from './tell-author.ts';

/** How long after the first attempt a message is tried again. */
export const GIVE_UP_MS = 2 * DAY_MS;
/** The pauses between attempts; all later ones are as long as the last. */
const PAUSES_MS = [30, 60, 120, 300, 600, 1_200, 1_800, 3_600].map((seconds) => seconds * 1_000);
/** Returns the pause after an attempt, counted from 0, in ms. */
export function pauseAfter(attempt: number): number {
  return PAUSES_MS[attempt] ?? PAUSES_MS.at(-1)!;
}

/** How many recipients a notification names. */
const NAMED = 5;

/** What is told of a mail that somebody does not get. */
export interface ReportedMail {
  /** Null for mail that the product writes. */
  author_id: string | null;
  /** Null for a system mail. */
  mailbox_id: number | null;
  subject: string;
  kind: SystemMailKind | null;
  /** The account of a system mail. */
  user_id: string | null;
}

/** The columns of {@link ReportedMail}, of outgoing message `o` and its message `m`. */
export const reportedColumns = sql<ReportedMail>`
  o.author_id, o.kind, o.user_id, m.mailbox_id, coalesce(m.subject, o.content->'event'->>'title', '') as subject`;

interface EndedRow extends ReportedMail {
  started_at: string;
  is_queued: boolean;
}

/** What is left to do for a message; without a row, it was deleted, or another attempt is due. */
const LEFT = {
  name: 'left-of-sending',
  text: `
    select m.mailbox_id, exists (
      select from outgoing_recipients r
      where r.workspace_id = $1 and r.message_id = $2 and r.state in ('queued', 'failed', 'not_sent')) as is_open
    from outgoing_messages o left join mail_messages m on m.workspace_id = $1 and m.id = o.message_id
    where o.workspace_id = $1 and o.id = $2 and o.attempts = $3`,
};

/** Ends an attempt: requests the next one if somebody still waits for the message, and tells the author who does not get it. */
export async function endAttempt(services: Services, job: SendMail): Promise<void> {
  const { workspace, message, attempt } = job;
  const { rows } = await services.pool.query<{ mailbox_id: number | null; is_open: boolean }>({
    ...LEFT,
    values: [workspace, message, attempt],
  });
  const [left] = rows;
  if (!left) return;
  if (left.is_open) await withTransaction(services, (ctx) => settle(ctx, job));
  else if (left.mailbox_id !== null) await publishMail(newContext(services), workspace, [left.mailbox_id]);
}

async function settle(ctx: OperationContext, job: SendMail): Promise<void> {
  const { workspace, message, attempt } = job;
  const { rows } = await sql<EndedRow>`
    select ${reportedColumns}, o.started_at, exists (
      select from outgoing_recipients r
      where r.workspace_id = ${workspace} and r.message_id = ${message} and r.state = 'queued') as is_queued
    from outgoing_messages o left join mail_messages m on m.workspace_id = ${workspace} and m.id = o.message_id
    where o.workspace_id = ${workspace} and o.id = ${message} and o.attempts = ${attempt}
    for no key update of o`.execute(ctx.db);
  const [row] = rows;
  // It was deleted meanwhile.
  if (!row) return;
  if (row.is_queued) {
    if (ctx.now.getTime() - Date.parse(row.started_at) >= GIVE_UP_MS)
      await failAll(ctx, job, 'The mail server did not accept the message within two days.');
    else await tryAgain(ctx, job);
  }
  if (await reportFailed(ctx, workspace, message, row)) await checkDeliverability(ctx, workspace);
  if (row.mailbox_id !== null) await publishMail(ctx, workspace, [row.mailbox_id]);
}

async function tryAgain(ctx: OperationContext, job: SendMail): Promise<void> {
  const { workspace, message, attempt } = job;
  await sql`
    update outgoing_messages set attempts = ${attempt + 1} where workspace_id = ${workspace} and id = ${message}`.execute(
    ctx.db,
  );
  await enqueueSending(ctx, { ...job, attempt: attempt + 1 }, pauseAfter(attempt));
}

/** Ends the attempts to send a message to those who still wait for it. The reason is followed by the last words of the server. */
export async function failAll(
  { db }: OperationContext,
  { workspace, message }: SendMail,
  reason: string,
): Promise<void> {
  await sql`
    update outgoing_recipients set state = 'failed', detail = ${reason}::text || coalesce(' ' || detail, '')
    where workspace_id = ${workspace} and message_id = ${message} and state = 'queued'`.execute(db);
}

/**
 * Tells the author of a message who does not get it, each recipient once. Of a message that the product wrote, the team is told, also that it did not leave,
 * which an author sees at the message; of a system mail, its account, if its kind has it. Returns whether a server refused it for somebody.
 */
export async function reportFailed(
  ctx: OperationContext,
  workspaceId: number,
  message: string,
  { author_id, subject, mailbox_id, kind, user_id }: ReportedMail,
): Promise<boolean> {
  const toldOfUnsent =
    kind === null ? sql`${author_id === null}::boolean` : sql`detail is distinct from ${OF_SANDBOX}`;
  const { rows } = await sql<{ email: string; detail: string | null; state: string }>`
    update outgoing_recipients set is_reported = true
    where workspace_id = ${workspaceId} and message_id = ${message} and not is_reported
      and (state = 'failed' or (state = 'not_sent' and ${toldOfUnsent}))
    returning coalesce(email, 'the recipient') as email, detail, state`.execute(ctx.db);
  if (rows.length === 0) return false;
  const isRefused = rows.some(({ state }) => state === 'failed');
  const lines = rows
    .slice(0, NAMED)
    .map(({ email, detail }) => `${email}: ${detail ?? 'no reason was given'}`);
  if (rows.length > NAMED) lines.push(`and ${rows.length - NAMED} more`);
  if (mailbox_id !== null)
    await writeWebhookEvents(ctx, workspaceId, () =>
      rows.map(({ email, detail: reason }) => ({
        type: 'mail.bounced',
        subject: message,
        person: email,
        data: { object: 'mail_bounce', id: message, address_id: mailbox_id, email, reason },
      })),
    );
  const told = kind !== null && systemMailRules[kind].tellsSender ? user_id : author_id;
  if (told !== null)
    await tellAuthor(ctx, workspaceId, told, {
      title: `Not delivered: ${subject.slice(0, 100) || '(no subject)'}`,
      body: lines.join('\n'),
    });
  else if (kind === null)
    await ctx.services.ticketInbox.notDelivered(ctx, workspaceId, message, lines.join('\n'));
  return isRefused;
}
