import { type SqlBool, sql } from 'kysely';
import pLimit from 'p-limit';
import { awaitsScan } from '../../attachments/index.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { TaskLimitError } from '../../platform/process/threads.ts';
import type { Services } from '../../platform/services.ts';
import { deliverPrepared, prepareDelivery } from '../receiving/deliver-mail.ts';
import { beginSending, type Sending } from './begin-sending.ts';
import { bounceAddress } from './bounce-address.ts';
import { compose } from './compose.ts';
import { endAttempt, failAll } from './end-attempt.ts';
import { findLocal } from './find-local.ts';
import { keepTrying } from './keep-trying.ts';
import type { SendMail } from './send-job.ts';

export const NO_SERVER = 'no mail server is configured';
export const OF_SANDBOX = 'a sandbox sends no mail to the outside';

/** How many recipients of one message are served at once, so that a message to many does not delay the others. */
const CONCURRENT = 3;
/** Messages above this size are in memory while they are sent, few at a time. */
const LARGE_BYTES = 1_048_576;
const large = pLimit(2);
/** Messages that are written or delivered here at once. The others wait, because the threads refuse when too many wait for them. */
const inThreads = pLimit(4);

interface Outcome {
  state: 'sent' | 'failed' | 'not_sent';
  detail: string;
  /** Whether a mail server accepted or refused the message. */
  isAnswer?: boolean;
}

/**
 * Handles `sendMailJob`: one attempt to send a message to those who wait for it. What the server answers for a recipient is recorded before anything
 * else, so that a process that ends sends at most those again whose answer was on its way.
 */
export async function sendMail(services: Services, job: SendMail, signal?: AbortSignal): Promise<void> {
  const sending = await beginSending(services, job);
  if (!sending) return;
  const bytes = sending.files.reduce((sum, { size }) => sum + size, sending.body.length);
  const run = () => attempt(services, job, sending, signal);
  await (bytes > LARGE_BYTES ? large(run) : run());
  await endAttempt(services, job);
}

async function attempt(
  services: Services,
  job: SendMail,
  sending: Sending,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (sending.files.some(({ scan }) => awaitsScan(services, scan))) {
    for (const { position } of sending.queued)
      await noteDelay(services, job, position, 'A file is being scanned for malware.');
    return;
  }
  const raw = await composeOrFail(services, job, sending);
  if (!raw) return;
  const local = await findLocal(
    services,
    sending.queued.map(({ email }) => email),
    sending.isSandbox,
  );
  const limit = pLimit(CONCURRENT);
  let isUnreachable = false;
  const send = async ({ position, email }: Sending['queued'][number]) => {
    // A process that stops begins with no further recipient; another one continues.
    signal?.throwIfAborted();
    if (local.has(email)) await inThreads(() => deliverHere(services, job, position, email, raw));
    else if (!isUnreachable)
      isUnreachable = !(await sendOutside(services, job, sending, position, email, raw));
  };
  const results = await Promise.allSettled(sending.queued.map((recipient) => limit(send, recipient)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Writes a message. If that is impossible, it fails for all who wait for it. */
async function composeOrFail(services: Services, job: SendMail, sending: Sending): Promise<Buffer | null> {
  try {
    return await inThreads(() => compose(services, job.workspace, sending));
  } catch (error) {
    const isMissing = error instanceof ApiError && error.apiCode === 'resource_not_found';
    if (!isMissing && !(error instanceof TaskLimitError)) throw error;
    services.log.error({ err: error, message: job.message }, 'a message cannot be written');
    const reason = sending.files.some(({ scan }) => scan === 'infected')
      ? 'A file of the message contains malware.'
      : isMissing
        ? 'A file of the message was deleted.'
        : 'The text of the message is too complex to be sent.';
    await withTransaction(services, (ctx) => failAll(ctx, job, reason));
    return null;
  }
}

/** Delivers a message to a mailbox of this installation, in one transaction with its outcome. */
async function deliverHere(
  services: Services,
  job: SendMail,
  position: number,
  email: string,
  raw: Buffer,
): Promise<void> {
  try {
    const prepared = await prepareDelivery(newContext(services), { raw, mailbox: email, folder: 'inbox' });
    await withTransaction(services, async (ctx) => {
      const { rows } = await sql`
        update outgoing_recipients set state = 'delivered_locally', detail = null
        where ${isQueued(job, position)} returning position`.execute(ctx.db);
      if (rows.length > 0) await deliverPrepared(ctx, prepared);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.apiCode === 'unavailable') throw error;
    await record(services, job, position, { state: 'failed', detail: error.message });
  }
}

/** Sends a message to the outside. Returns false if the server cannot be reached, also for the other recipients. */
async function sendOutside(
  services: Services,
  job: SendMail,
  { alias, isSandbox, from_email }: Sending,
  position: number,
  email: string,
  raw: Buffer,
): Promise<boolean> {
  const { server } = services.mail;
  if (isSandbox || !server) {
    if (!isSandbox)
      services.log.warn({ message: job.message }, `mail to the outside is not sent: ${NO_SERVER}`);
    await record(services, job, position, { state: 'not_sent', detail: isSandbox ? OF_SANDBOX : NO_SERVER });
    return true;
  }
  const returnPath =
    (await bounceAddress(services, { workspaceId: job.workspace, alias, position })) ?? from_email;
  const { state, detail } = await server.send({ raw, from: from_email, returnPath, to: email });
  if (state === 'sent' || state === 'refused')
    await record(services, job, position, {
      state: state === 'sent' ? 'sent' : 'failed',
      detail,
      isAnswer: true,
    });
  else await noteDelay(services, job, position, detail);
  return state !== 'unreachable';
}

const isQueued = ({ workspace, message }: SendMail, position: number) =>
  sql<SqlBool>`workspace_id = ${workspace} and message_id = ${message} and position = ${position} and state = 'queued'`;

/** Records the outcome for a recipient. While the database is away, it is tried again: the answer of a server must not be forgotten. */
async function record(
  services: Services,
  job: SendMail,
  position: number,
  { state, detail, isAnswer = false }: Outcome,
): Promise<void> {
  const at = isAnswer ? services.clock.now().toISOString() : null;
  await keepTrying(services, job.message, async () => {
    await sql`
      update outgoing_recipients set state = ${state}, detail = ${detail}, answered_at = ${at}
      where ${isQueued(job, position)}`.execute(newContext(services).db);
  });
}

/** Notes what a server answered for now. */
async function noteDelay(services: Services, job: SendMail, position: number, detail: string): Promise<void> {
  await sql`update outgoing_recipients set detail = ${detail} where ${isQueued(job, position)}`.execute(
    newContext(services).db,
  );
}
