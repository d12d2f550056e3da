import type { ReplyDraftStreamEvent, TicketStreamEvent } from '@firmdesk/contract';
import { countLockWaiters, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  follow,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { indexPendingTexts } from '../../app/index-pending-texts.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { runDelayedSend } from '../messages/delayed-sends.ts';
import { writeTraderMessage } from '../messages/trader-messages.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { pool } = services;
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;
const { rpc, call, get, codeOf, bodiesOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']));
});

const create = (over: Partial<Parameters<typeof createTicket>[1]> = {}) =>
  createTicket(services, { firm, trader, status: 'awaiting_admin', ...over });
const minutesAgo = (minutes: number) => new Date(gateway.clock.now().getTime() - minutes * 60_000);
const elsewhere = async () => {
  const other = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']);
  return createTicket(services, { firm: other.firm, trader: other.trader, status: 'awaiting_admin' });
};

const writeAsTrader = (ticket: string) =>
  withTransaction(services, (ctx) =>
    writeTraderMessage(
      { ...ctx, workspace: firm },
      { ticket, from: trader.email, body: 'four', via_email: false },
    ),
  );

describe('a merged ticket', () => {
  const pair = async (over: object = {}) =>
    [
      await create({
        subject: 'Payout again',
        unread: 1,
        lastFrom: 'trader',
        lastMessageAt: minutesAgo(2),
        traderWroteAt: minutesAgo(2),
        messages: [
          { body: 'zebrafish one', at: minutesAgo(4) },
          { body: 'three', at: minutesAgo(2) },
        ],
        ...over,
      }),
      await create({
        unread: 1,
        lastFrom: 'trader',
        lastMessageAt: minutesAgo(3),
        traderWroteAt: minutesAgo(3),
        messages: [{ body: 'two', at: minutesAgo(3) }],
      }),
    ] as const;

  test('is closed and points to the other, which has the messages of both in the order of their times', async () => {
    const [from, into] = await pair();
    const merged = await call('merge', { ticket: from, into });
    expect(merged).toMatchObject({ id: into, status: 'awaiting_admin', unread: 2, last_from: 'trader' });
    expect(Date.parse(merged.last_message_at)).toBe(minutesAgo(2).getTime());
    expect(await bodiesOf(into)).toEqual(['zebrafish one', 'two', 'three']);
    expect(await bodiesOf(from)).toEqual([]);
    const changes = async (ticket: string) =>
      (await call('history', { ticket })).data.flatMap((entry: { changes: object[] }) => entry.changes);
    expect(await changes(into)).toContainEqual({
      property: 'merged_from',
      ticket: { id: from, number: expect.any(String) },
    });
    expect(await changes(from)).toMatchObject([
      { property: 'status', after: 'closed' },
      { property: 'merged_into', ticket: { id: into } },
    ]);
    expect(await get(from)).toMatchObject({
      status: 'closed',
      merged_into: into,
      unread: 0,
      can: { reply: false, ai: false },
    });
    expect(await get(into)).toMatchObject({ merged_into: null });
    await indexPendingTexts(services, { workspace: firm.slug });
    expect((await call('list', { q: 'zebrafish' })).data).toMatchObject([{ id: into }]);
  });

  test('stays closed, takes no notes, and passes on what its trader writes', async () => {
    const [from, into] = await pair();
    const last = await create();
    await call('merge', { ticket: from, into });
    expect(await codeOf('undoEnd', { ticket: from, status: 'awaiting_admin' })).toBe('ticket_ended');
    expect(await codeOf('addNote', { ticket: from, body: 'x' })).toBe('ticket_ended');
    expect(await codeOf('reply', { ticket: from, body: 'x', seen_message_id: null })).toBe('ticket_ended');
    await call('merge', { ticket: into, into: last });
    expect(await writeAsTrader(from)).toMatchObject({ opened: false, ticket: { id: last } });
  });

  test('of a circle, which no merge makes, opens a new ticket for what its trader writes', async () => {
    const [from, into] = await pair();
    await pool.query(
      `update tickets set status = 'closed', closed_at = now(), merged_into = case when id = $2 then $3 else $2 end
       where workspace_id = $1 and id in ($2, $3)`,
      [firm.id, from, into],
    );
    expect(await writeAsTrader(from)).toMatchObject({ opened: true });
  });

  test('first runs its delayed sends, and keeps the assistant off', async () => {
    const [from, into] = await pair();
    const delayed = await call('holdReply', { ticket: from, body: 'On Monday.' });
    const delayedThere = await call('holdReply', { ticket: into, body: 'On Tuesday.' });
    expect(await call('merge', { ticket: from, into })).toMatchObject({
      ai_enabled: false,
      last_from: 'admin',
    });
    await runDelayedSend(services, { workspace: firm.id, ticket: from, id: delayed.id });
    await runDelayedSend(services, { workspace: firm.id, ticket: into, id: delayedThere.id });
    const all = await bodiesOf(into);
    expect(all.filter((body: string) => body.startsWith('On '))).toEqual(['On Monday.', 'On Tuesday.']);
  });

  test('stops its replies of the assistant, which then answers in the other', async () => {
    const ask = async (subject: string) => {
      const written = await gateway.rpc('tickets.platform.open', {
        token: await platformToken(),
        body: { from: trader.email, subject, body: `${subject}?` },
      });
      return written.data.ticket.id as string;
    };
    const [from, into] = [await ask('One'), await ask('Two')];
    expect(await call('merge', { ticket: from, into })).toMatchObject({ status: 'open', ai_enabled: true });
    const runs = async (ticket: string) =>
      (
        await pool.query<{ state: string }>(
          'select state from assistant_runs where workspace_id = $1 and ticket_id = $2',
          [firm.id, ticket],
        )
      ).rows.map(({ state }) => state);
    expect(await runs(from)).toEqual(['failed']);
    expect(await runs(into)).toEqual(['waiting']);
  });

  test('wakes a snoozed ticket that it is merged into, unless it is snoozed itself', async () => {
    const snooze = (ticket: string) => call('snooze', { ticket, until: null });
    const [from, into] = await pair();
    await snooze(into);
    expect(await call('merge', { ticket: from, into })).toMatchObject({
      snoozed: false,
      woken_at: expect.any(String),
    });
    const [second, third] = await pair();
    await snooze(second);
    await snooze(third);
    expect(await call('merge', { ticket: second, into: third })).toMatchObject({
      snoozed: true,
      woken_at: null,
    });
  });

  test('passes on its followers, who are notified once of what the trader writes to the other', async () => {
    const [from, into] = await pair();
    const one = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
    const both = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
    await call('assign', { ticket: into, assignee: agent.id });
    await call('follow', { ticket: from, following: true }, one.token);
    for (const ticket of [from, into]) await call('follow', { ticket, following: true }, both.token);
    await call('merge', { ticket: from, into });
    const isFollowing = async (ticket: string, as: string) => (await call('get', { ticket }, as)).following;
    for (const { token: as } of [one, both])
      expect([await isFollowing(from, as), await isFollowing(into, as)]).toEqual([false, true]);
    await call('platform.write', { ticket: into, from: trader.email, body: 'Hello?' }, await platformToken());
    const notified = (await notificationsOf(gateway, firm)).filter(({ user_id }) =>
      [one.user.id, both.user.id].includes(user_id),
    );
    expect(notified.map(({ user_id }) => user_id).sort()).toEqual([one.user.id, both.user.id].sort());
  });

  test('passes on the drafts of each author, and joins those of both tickets', async () => {
    const [from, into] = await pair();
    const colleague = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets', 'manage_tickets'],
    });
    const save = async (ticket: string, mode: 'reply' | 'note', text: string, over: object = {}) =>
      (await call('saveDraft', { ticket, mode, text, base: null, ...over }, colleague.token)).draft.version;
    const image = { image_url: 'https://firm.example/a.png', image_name: 'a.png' };
    const version = await save(from, 'note', 'Check the account');
    await save(from, 'reply', 'x'.repeat(40_000));
    const overwritten = await save(into, 'reply', 'y'.repeat(40_000), image);
    await call('saveDraft', { ticket: from, mode: 'reply', text: 'Mine', base: null });
    using stream = await follow<ReplyDraftStreamEvent>(
      gateway.url,
      { token: colleague.token },
      (trpc, handlers) => trpc.tickets.liveDrafts.subscribe({}, handlers),
    );
    await call('merge', { ticket: from, into });
    expect(await call('draftsOf', { ticket: from }, colleague.token)).toMatchObject({
      reply: null,
      note: null,
    });
    const { reply, note } = await call('draftsOf', { ticket: into }, colleague.token);
    expect(note).toMatchObject({ text: 'Check the account', version });
    expect(reply).toMatchObject({ ...image, text: `${'x'.repeat(40_000)}\n\n${'y'.repeat(40_000)}` });
    expect(reply.version).not.toBe(overwritten);
    expect(await call('draftsOf', { ticket: into })).toMatchObject({ reply: { text: 'Mine' }, note: null });
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toEqual(
        expect.arrayContaining([
          { type: 'reply_draft.saved', ticket_id: from, mode: 'note', version: null },
          { type: 'reply_draft.saved', ticket_id: into, mode: 'note', version },
          { type: 'reply_draft.saved', ticket_id: from, mode: 'reply', version: null },
          { type: 'reply_draft.saved', ticket_id: into, mode: 'reply', version: reply.version },
        ]),
      );
  });

  test('takes no drafts, also from a device that saves during the merge', async () => {
    const [from, into] = await pair();
    const save = (text: string) => rpc('saveDraft', { ticket: from, mode: 'reply', text, base: null });
    const [saved] = await Promise.all([save('Dear Tess'), call('merge', { ticket: from, into })]);
    expect([null, 'ticket_ended']).toContain(saved.code);
    const { reply } = await call('draftsOf', { ticket: into });
    expect(reply?.text ?? null).toBe(saved.code === null ? 'Dear Tess' : null);
    expect((await save('Again')).code).toBe('ticket_ended');
    expect(await call('draftsOf', { ticket: from })).toMatchObject({ reply: null });
  });

  test('takes no note that waited for the end of the merge', async () => {
    const [from, into] = await pair();
    let note: Promise<string | null> | undefined;
    await withTransaction(services, async ({ db }) => {
      await sql`select from tickets where workspace_id = ${firm.id} and id = ${from} for update`.execute(db);
      note = codeOf('addNote', { ticket: from, body: 'Late' });
      await expect.poll(() => countLockWaiters(services.databaseUrl)).toBeGreaterThan(0);
      await sql`
        update tickets set merged_into = ${into}
        where workspace_id = ${firm.id} and id = ${from}`.execute(db);
    });
    expect(await note).toBe('ticket_ended');
    expect(await bodiesOf(from)).not.toContain('Late');
  });

  const platformToken = async () =>
    (await createUserWithToken(gateway, { firm, scopes: ['platform:write'] })).token;

  test('tells the viewers of both to load them again', async () => {
    const [from, into] = await pair();
    using stream = await follow<TicketStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.tickets.stream.subscribe({ ticket: from }, handlers),
    );
    using other = await follow<TicketStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.tickets.stream.subscribe({ ticket: into }, handlers),
    );
    await call('merge', { ticket: from, into });
    for (const { events } of [stream, other])
      await expect.poll(() => events.map(({ data }) => data.type)).toContain('resync');
  });

  test('is of the same trader and firm, and neither has ended', async () => {
    const [from, into] = await pair();
    const merge = (ticket: string, target: string) => codeOf('merge', { ticket, into: target });
    const stranger = await createUser(services, { firm, role: 'trader' });
    expect(await merge(from, from)).toBe('validation_failed');
    expect(await merge(from, await create({ trader: stranger }))).toBe('validation_failed');
    expect(await merge(from, await elsewhere())).toBe('resource_not_found');
    const ended = await create({ status: 'resolved' });
    expect([await merge(from, ended), await merge(ended, into)]).toEqual(['ticket_ended', 'ticket_ended']);
    expect(await get(from)).toMatchObject({ status: 'awaiting_admin', merged_into: null });
  });

  test('is merged once by two callers, in one direction', async () => {
    const [from, into] = await pair();
    const codes = await Promise.all([
      codeOf('merge', { ticket: from, into }),
      codeOf('merge', { ticket: into, into: from }),
    ]);
    expect(codes.filter((code) => code === 'ticket_ended')).toHaveLength(1);
  });

  test('has at most 5,000 messages', async () => {
    const [from, into] = await pair();
    await pool.query(
      `insert into ticket_messages (workspace_id, id, ticket_id, from_kind, author, body, created_at, search_text)
       select $1, 'tmsg_' || $2 || n, $2, 'trader', 'Kim', 'More', now() - n * interval '1 minute', 'more'
       from generate_series(1, 4999) n`,
      [firm.id, from],
    );
    expect(await codeOf('merge', { ticket: from, into })).toBe('validation_failed');
    await pool.query('delete from ticket_messages where workspace_id = $1 and id = $2', [
      firm.id,
      `tmsg_${from}1`,
    ]);
    expect(await codeOf('merge', { ticket: from, into })).toBeNull();
  });
});
