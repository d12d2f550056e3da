import { sql } from 'kysely';
import { belongsTo } from '../../access/policy.ts';
import { isSandbox } from '../../access/workspaces/sandbox.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { deliverPrepared, prepareDelivery } from '../receiving/deliver-mail.ts';
import { writeMessage } from '../sending/compose.ts';
import { GIVE_UP_MS, pauseAfter } from '../sending/end-attempt.ts';
import { findLocal } from '../sending/find-local.ts';
import { keepTrying } from '../sending/keep-trying.ts';
import { NO_SERVER, OF_SANDBOX } from '../sending/send-mail.ts';
import { tellAuthor } from '../sending/tell-author.ts';
import { writeAbsence } from './absence-answers.ts';
import { writeInvite } from './invite-mails.ts';
import { findLinkPlace, READ_BY_OTHERS } from './link-mails.ts';
import { writePasswordReset } from './password-reset-mails.ts';
import {
  enqueueSystemMail,
  type SendSystemMail,
  type SystemMailContents,
  type SystemMailKind,
} from './queue-system-mail.ts';
import { writeReminder } from './reminder-mails.ts';
import { writeScheduling } from './scheduling-mails.ts';
import type { WrittenMail } from './written-mail.ts';

/** A system mail that an attempt sends. */
interface SystemMailRow<Kind extends SystemMailKind = SystemMailKind> {
  kind: Kind;
  user_id: string;
  content: SystemMailContents[Kind];
  created_at: string;
  is_expired: boolean;
  belongs: boolean;
  slug: string;
}

/** Write the mails of each kind, from the state of the database when they are sent. */
const writers: {
  [Kind in SystemMailKind]: (
    services: Services,
    workspaceId: number,
    mail: { userId: string; content: SystemMailContents[Kind] },
  ) => Promise<WrittenMail>;
} = {
  absence: writeAbsence,
  event_reminder: writeReminder,
  password_reset: writePasswordReset,
  invite: writeInvite,
  scheduling: writeScheduling,
};

/** The mails whose link lets somebody in. */
const withLink: ReadonlySet<SystemMailKind> = new Set(['invite', 'password_reset']);

interface Outcome {
  state: 'sent' | 'failed' | 'not_sent';
  detail: string;
}

/**
 * Handles `sendSystemMailJob`: one attempt to send a mail. What the server answers is recorded before anything else, so that a process that ends sends
 * it again at most if the answer was on its way.
 */
export async function sendSystemMail(
  services: Services,
  job: SendSystemMail,
  signal?: AbortSignal,
): Promise<void> {
  const row = await findMail(services, job);
  if (!row) return;
  const finish = (outcome: Outcome) => record(services, job, outcome);
  if (!row.belongs) return finish({ state: 'not_sent', detail: 'The account has left the firm.' });
  if (row.is_expired) return finish({ state: 'not_sent', detail: 'It is too late.' });
  const written = await write(services, job.workspace, row);
  if ('reason' in written) return finish({ state: 'not_sent', detail: written.reason });
  const { message, returnPath } = written;
  const to = message.to.address;
  const bytes = await writeMessage({
    ...message,
    to: [message.to],
    cc: [],
    date: row.created_at,
    messageId: `<${job.id}@${message.from.address.slice(message.from.address.lastIndexOf('@') + 1)}>`,
    references: [],
    attachments: [],
  });
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  signal?.throwIfAborted();
  const place = await findPlace(services, job.workspace, row, to);
  if (place === 'local') return deliverHere(services, job, to, raw);
  if (place === 'nobody') {
    services.log.warn({ message: job.id }, `a mail with a link is not sent: ${READ_BY_OTHERS}`);
    return finish({ state: 'not_sent', detail: READ_BY_OTHERS });
  }
  const { server } = services.mail;
  if (isSandbox(row)) return finish({ state: 'not_sent', detail: OF_SANDBOX });
  if (!server) {
    services.log.warn({ message: job.id }, `mail to the outside is not sent: ${NO_SERVER}`);
    return finish({ state: 'not_sent', detail: NO_SERVER });
  }
  const result = await server.send({ raw, from: message.from.address, returnPath, to });
  if (result.state === 'sent') await finish({ state: 'sent', detail: result.detail });
  else if (result.state === 'refused') await finish({ state: 'failed', detail: result.detail });
  else await tryAgain(services, job, result.detail);
}

async function findPlace(services: Services, workspaceId: number, row: SystemMailRow, to: string) {
  if (withLink.has(row.kind)) return findLinkPlace(services, workspaceId, to);
  return (await findLocal(services, [to], isSandbox(row))).has(to) ? 'local' : 'server';
}

async function write<Kind extends SystemMailKind>(
  services: Services,
  workspaceId: number,
  { kind, user_id, content }: SystemMailRow<Kind>,
): Promise<WrittenMail> {
  return writers[kind](services, workspaceId, { userId: user_id, content });
}

/** Returns the mail if this attempt is the next one. */
async function findMail(services: Services, job: SendSystemMail): Promise<SystemMailRow | undefined> {
  const { db, now } = newContext(services);
  const { rows } = await sql<SystemMailRow & { workspace_id: number }>`
    select s.kind, s.user_id, s.content, s.created_at, s.expires_at <= ${now.toISOString()} as is_expired, w.slug
    from system_mails s join workspaces w on w.id = s.workspace_id
    where s.workspace_id = ${job.workspace} and s.id = ${job.id} and s.attempts = ${job.attempt} and s.state = 'queued'`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { rows: members } = await sql<{ belongs: boolean }>`
    select ${belongsTo(row.user_id, job.workspace)} as belongs`.execute(db);
  // The staff may invite too: the writer checks who may.
  return { ...row, belongs: row.kind === 'invite' || members[0]!.belongs };
}

const isQueued = ({ workspace, id }: SendSystemMail) =>
  sql`workspace_id = ${workspace} and id = ${id} and state = 'queued'`;

/** Delivers a mail to a mailbox of this installation, in one transaction with its outcome. */
async function deliverHere(
  services: Services,
  job: SendSystemMail,
  email: string,
  raw: Buffer,
): Promise<void> {
  try {
    const prepared = await prepareDelivery(newContext(services), { raw, mailbox: email, folder: 'inbox' });
    await withTransaction(services, async (ctx) => {
      const { rows } = await sql`
        update system_mails set state = 'delivered_locally', detail = null where ${isQueued(job)} returning id`.execute(
        ctx.db,
      );
      if (rows.length > 0) await deliverPrepared(ctx, prepared);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.apiCode === 'unavailable') throw error;
    await record(services, job, { state: 'failed', detail: error.message });
  }
}

async function record(services: Services, job: SendSystemMail, { state, detail }: Outcome): Promise<void> {
  await keepTrying(services, job.id, () =>
    withTransaction(services, (ctx) => end(ctx, job, { state, detail })),
  );
}

/** Ends the attempts, and tells the sender of an invitation or an answer if it was not sent. */
async function end(ctx: OperationContext, job: SendSystemMail, { state, detail }: Outcome): Promise<void> {
  const { rows } = await sql<{ user_id: string; kind: SystemMailKind; title: string; email: string }>`
    update system_mails set state = ${state}, detail = ${detail} where ${isQueued(job)}
    returning user_id, kind, content->'event'->>'title' as title, content->'to'->>'email' as email`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (row?.kind !== 'scheduling' || state === 'sent' || detail === OF_SANDBOX) return;
  await tellAuthor(ctx, job.workspace, row.user_id, {
    title: `Not delivered: ${row.title.slice(0, 100)}`,
    body: `${row.email}: ${detail}`,
  });
}

/** Requests the next attempt, or gives up after two days. */
async function tryAgain(services: Services, job: SendSystemMail, detail: string): Promise<void> {
  await withTransaction(services, async (ctx) => {
    const attempt = job.attempt + 1;
    const { rows } = await sql<{ created_at: string }>`
      update system_mails set attempts = ${attempt}, detail = ${detail} where ${isQueued(job)} returning created_at`.execute(
      ctx.db,
    );
    const [row] = rows;
    if (!row) return;
    if (isTooOld(ctx, row)) await end(ctx, job, { state: 'failed', detail });
    else await enqueueSystemMail(ctx, { ...job, attempt }, pauseAfter(job.attempt));
  });
}

function isTooOld({ now }: OperationContext, { created_at }: { created_at: string }): boolean {
  return now.getTime() - Date.parse(created_at) >= GIVE_UP_MS;
}
