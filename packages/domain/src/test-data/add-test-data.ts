import { sql } from 'kysely';
import { isStaffToken } from '../access/policy.ts';
import { authenticate } from '../access/tokens/authenticate.ts';
import { isSandbox } from '../access/workspaces/sandbox.ts';
import { preRegister } from '../affiliates/index.ts';
import { createCalendar, insertEvents } from '../calendar/index.ts';
import { createMailbox, deliverPrepared, prepareDelivery } from '../mail/index.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import type { Services } from '../platform/services.ts';
import type { MemberContext } from '../procedures/call-context.ts';
import { openTicket } from '../tickets/index.ts';
import { messages, tickets } from './texts.ts';

/** The ids of an account's test data, as the calls of `/v1` take them. */
export interface TestData {
  address_id: number;
  messages: string[];
  calendar_id: number;
  events: number[];
  tickets: string[];
  pre_registration: string;
}

/**
 * Adds to a sandbox the rows with which an account can try each call: a mailbox with messages, a calendar with events, tickets and a
 * pre-registration. Returns null, and adds nothing, if the account has a mailbox in the sandbox, or is staff and no member of the firm.
 */
export async function addTestData(ctx: MemberContext): Promise<TestData | null> {
  const { db, workspace, identity } = ctx;
  const { user } = identity;
  if (!isSandbox(workspace)) throw new Error('Test data belongs into a sandbox.');
  if (isStaffToken(identity)) return null;
  // Serializes the calls for one sandbox. A separate statement, so that the next one sees the mailbox that an earlier call committed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`test data ${workspace.id}`}, 0))`.execute(db);
  const existing = await db
    .selectFrom('mailbox_members')
    .select('mailbox_id')
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (existing) return null;
  return {
    ...(await addMail(ctx)),
    ...(await addEvents(ctx)),
    tickets: await addTickets(ctx),
    pre_registration: await addPreRegistration(ctx),
  };
}

/** {@link addTestData} for the account of a test token. */
export async function addTestDataFor(services: Services, token: string): Promise<TestData | null> {
  const identity = await authenticate(services, token, services.clock.now());
  return withTransaction(services, (ctx) => addTestData({ ...ctx, identity, workspace: identity.home }));
}

async function addMail(ctx: MemberContext): Promise<Pick<TestData, 'address_id' | 'messages'>> {
  const { workspace, identity } = ctx;
  const { user } = identity;
  // `.test` is reserved (RFC 6761): no real mailbox has such an address. It has nothing of the account's name, which an erasure would leave here.
  const email = `${user.id}@${workspace.slug}`;
  const mailbox = await createMailbox(ctx, {
    workspaceId: workspace.id,
    email,
    name: 'Test mailbox',
    userId: user.id,
  });
  const ids: string[] = [];
  for (const { folder, ...message } of messages) {
    const raw = { text: rawMessage(email, message), encoding: 'text' as const };
    const prepared = await prepareDelivery(ctx, { raw, mailbox: email, folder });
    ids.push((await deliverPrepared(ctx, prepared)).id);
  }
  return { address_id: mailbox.mailboxId, messages: ids };
}

function rawMessage(
  to: string,
  { id, from, subject, text }: Omit<(typeof messages)[number], 'folder'>,
): string {
  const head = [`Message-ID: <${id}@example.com>`, `From: ${from}`, `To: ${to}`, `Subject: ${subject}`];
  return [...head, 'Content-Type: text/plain; charset=utf-8', '', text, ''].join('\r\n');
}

async function addEvents(ctx: MemberContext): Promise<Pick<TestData, 'calendar_id' | 'events'>> {
  const { workspace, identity, now } = ctx;
  const { id: user_id, timezone } = identity.user;
  const { id: calendar_id } = await createCalendar(ctx, { name: 'Test calendar' });
  const tomorrow = now.getTime() + DAY_MS;
  const at = (minutes: number) => new Date(tomorrow + minutes * MINUTE_MS).toISOString();
  const reminders = [{ user_id, minutes_before: 10, channel: 'push' }];
  const common = { calendar_id, timezone, reminders };
  const events = await insertEvents(ctx, workspace.id, [
    { ...common, title: 'Call with a trader', starts_at: at(0), ends_at: at(30) },
    {
      ...common,
      title: 'Daily review',
      starts_at: at(60),
      ends_at: at(75),
      recurrence_rule: 'FREQ=DAILY',
    },
  ]);
  return { calendar_id, events };
}

/** Opens the tickets for the account itself, so that no trader of the firm appears in test data. */
async function addTickets(ctx: MemberContext): Promise<string[]> {
  const ids: string[] = [];
  for (const ticket of tickets) {
    const from = ctx.identity.user.email;
    const opened = await openTicket(ctx, { ...ticket, from, priority: 'normal', via_email: false });
    ids.push(opened.ticket.id);
  }
  return ids;
}

async function addPreRegistration(ctx: MemberContext): Promise<string> {
  const code = `TEST-${ctx.identity.user.id.slice(-6).toUpperCase()}`;
  const { id } = await preRegister(ctx, {
    email: 'affiliate@example.com',
    referral_code: code,
    referral_url: `https://example.com/?ref=${code}`,
    source: 'api',
    metadata: {},
  });
  return id;
}
