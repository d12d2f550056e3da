import { type SqlBool, sql } from 'kysely';
import pLimit from 'p-limit';
import { awaitsScan } from '../../attachments/index.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { FairSemaphore } from '../../platform/process/fair-semaphore.ts';
import { TaskLimitError } from '../../platform/process/threads.ts';
import type { Services } from '../../platform/services.ts';
import { deliverPrepared } from '../receiving/deliver-mail.ts';
import { prepareDelivery } from '../receiving/prepare-delivery.ts';
import { systemMailRules } from '../system/system-mail.ts';
import { writeSystemMail } from '../system/write-system-mail.ts';
import { beginSending, type Sending } from './begin-sending.ts';
import { bounceAddress } from './bounce-address.ts';
import { compose } from './compose.ts';
import { endAttempt, failAll } from './end-attempt.ts';
import { findPlaces, type Place, READ_BY_OTHERS } from './find-places.ts';
import { keepTrying } from './keep-trying.ts';
import { NO_SERVER, OF_SANDBOX } from './reasons.ts';
import type { SendMail } from './send-job.ts';

/** How many recipients of one message are served at once, so that a message to many does not delay the others. */
const CONCURRENT = 3;
/** Messages above this size are in memory while they are sent, few at a time. */
const LARGE_BYTES = 1_048_576;
const large = pLimit(2);
/** Messages that are written or delivered here at once. The others wait, and the firms take turns. */
const inThreads = new FairSemaphore(4, Number.POSITIVE_INFINITY);

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
  const run = () => attempt(services, job, sending, signal);
  if (sending.queued.length > 0) await (bytesOf(sending) > LARGE_BYTES ? large(run) : run());
  await endAttempt(services, job);
}

function bytesOf(sending: Sending): number {
  return sending.kind === null ? sending.files.reduce((sum, { size }) => sum + size, sending.body.length) : 0;
}

/** A mail as it is sent to those who wait for it. */
interface Composed {
  raw: Buffer;
  from: string;
  /** If the installation has no address for what comes back, or the mail is not returned. */
  returnPath: string;
  isReturned: boolean;
  recipients: { position: number; email: string }[];
}

async function attempt(
  services: Services,
  job: SendMail,
  sending: Sending,
  signal: AbortSignal | undefined,
): Promise<void> {
  const composed = await composeOrEnd(services, job, sending);
  if (!composed) return;
  const hasLink = sending.kind !== null && systemMailRules[sending.kind].hasLink;
  const places = await findPlaces(
    services,
    job.workspace,
    composed.recipients.map(({ email }) => email),
    { isSandbox: sending.isSandbox, hasLink },
  );
  const limit = pLimit(CONCURRENT);
  let isUnreachable = false;
  const send = async ({ position, email }: Composed['recipients'][number]) => {
    // A process that stops begins with no further recipient; another one continues.
    signal?.throwIfAborted();
    const place: Place = places.get(email)!;
    if (place === 'local')
      await inThreads.run(String(job.workspace), () =>
        deliverHere(services, job, position, email, composed.raw),
      );
    else if (place === 'nobody') await refuseLink(services, job, position);
    else if (!isUnreachable)
      isUnreachable = !(await sendOutside(services, job, sending, composed, position, email));
  };
  const results = await Promise.allSettled(composed.recipients.map((recipient) => limit(send, recipient)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Writes a mail. Null if it is not sent now: its files are being scanned, what it is about has ended, or it cannot be written. */
async function composeOrEnd(services: Services, job: SendMail, sending: Sending): Promise<Composed | null> {
  try {
    return await (sending.kind === null
      ? composeMessage(services, job, sending)
      : composeSystemMail(services, job, sending));
  } catch (error) {
    const isMissing = error instanceof ApiError && error.apiCode === 'resource_not_found';
    if (!isMissing && !(error instanceof TaskLimitError)) throw error;
    services.log.error({ err: error, message: job.message }, 'a message cannot be written');
    const files = sending.kind === null ? sending.files : [];
    const reason = files.some(({ scan }) => scan === 'infected')
      ? 'A file of the message contains malware.'
      : isMissing
        ? 'A file of the message was deleted.'
        : 'The text of the message is too complex to be sent.';
    await withTransaction(services, (ctx) => failAll(ctx, job, reason));
    return null;
  }
}

async function composeMessage(
  services: Services,
  job: SendMail,
  message: Extract<Sending, { kind: null }>,
): Promise<Composed | null> {
  const recipients = message.queued.map(({ position, email }) => ({ position, email: email! }));
  if (message.files.some(({ scan }) => awaitsScan(services, scan))) {
    for (const { position } of recipients)
      await noteDelay(services, job, position, 'A file is being scanned for malware.');
    return null;
  }
  const raw = await inThreads.run(String(job.workspace), () => compose(services, job.workspace, message));
  const from = message.from_email;
  return { raw, from, returnPath: from, isReturned: true, recipients };
}

/** Writes a system mail, and stores its address. */
async function composeSystemMail(
  services: Services,
  job: SendMail,
  mail: Exclude<Sending, { kind: null }>,
): Promise<Composed | null> {
  const [{ position }] = mail.queued as [Sending['queued'][number]];
  const written = await inThreads.run(String(job.workspace), () =>
    writeSystemMail(services, job.workspace, mail),
  );
  if ('reason' in written) {
    await record(services, job, position, { state: 'not_sent', detail: written.reason });
    return null;
  }
  const { to: email, ...rest } = written;
  await sql`update outgoing_recipients set email = ${email} where ${isQueued(job, position)}`.execute(
    newContext(services).db,
  );
  return { ...rest, isReturned: systemMailRules[mail.kind].isReturned, recipients: [{ position, email }] };
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
  { alias, isSandbox }: Sending,
  { raw, from, returnPath, isReturned }: Composed,
  position: number,
  email: string,
): Promise<boolean> {
  const { server } = services.mail;
  if (isSandbox || !server) {
    if (!isSandbox)
      services.log.warn({ message: job.message }, `mail to the outside is not sent: ${NO_SERVER}`);
    await record(services, job, position, { state: 'not_sent', detail: isSandbox ? OF_SANDBOX : NO_SERVER });
    return true;
  }
  const back =
    isReturned && alias !== null
      ? await bounceAddress(services, { workspaceId: job.workspace, alias, position })
      : null;
  const { state, detail } = await server.send({ raw, from, returnPath: back ?? returnPath, to: email });
  if (state === 'sent' || state === 'refused')
    await record(services, job, position, {
      state: state === 'sent' ? 'sent' : 'failed',
      detail,
      isAnswer: true,
    });
  else await noteDelay(services, job, position, detail);
  return state !== 'unreachable';
}

async function refuseLink(services: Services, job: SendMail, position: number): Promise<void> {
  services.log.warn({ message: job.message }, `a mail with a link is not sent: ${READ_BY_OTHERS}`);
  await record(services, job, position, { state: 'not_sent', detail: READ_BY_OTHERS });
}

const isQueued = ({ workspace, message }: SendMail, position: number) =>
  sql<SqlBool>`workspace_id = ${workspace} and message_id = ${message} and position = ${position} and state = 'queued'`;

const RECORD = {
  name: 'record-outcome',
  text: `
    update outgoing_recipients set state = $4, detail = $5, answered_at = $6
    where workspace_id = $1 and message_id = $2 and position = $3 and state = 'queued'`,
};

/** Records the outcome for a recipient. While the database is away, it is tried again: the answer of a server must not be forgotten. */
async function record(
  services: Services,
  job: SendMail,
  position: number,
  { state, detail, isAnswer = false }: Outcome,
): Promise<void> {
  const at = isAnswer ? services.clock.now().toISOString() : null;
  await keepTrying(services, job.message, async () => {
    await services.pool.query({
      ...RECORD,
      values: [job.workspace, job.message, position, state, detail, at],
    });
  });
}

/** Notes what a server answered for now. */
async function noteDelay(services: Services, job: SendMail, position: number, detail: string): Promise<void> {
  await sql`update outgoing_recipients set detail = ${detail} where ${isQueued(job, position)}`.execute(
    newContext(services).db,
  );
}
