import type { ReplyDraftStreamEvent, TicketStreamEvent } from '@firmdesk/contract';
import { createTag, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  follow,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { runDelayedSend } from './delayed-sends.ts';
import { writeTraderMessage } from './trader-messages.ts';

const gateway = await suiteGateway();
const { pool } = gateway.services;
let firm: Firm;
let token: string;
let trader: TestUser;
let ticket: string;
const { call, codeOf, bodiesOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token } = await createUserWithToken(gateway, {
    name: 'Robin Example',
    permissions: ['view_tickets', 'manage_tickets'],
  }));
  trader = await createUser(gateway.services, { firm, role: 'trader' });
  ticket = await createTicket(gateway.services, {
    firm,
    trader,
    status: 'awaiting_admin',
    unread: 1,
    messages: [{ body: 'Where is my payout?' }],
  });
});

const delay = (body = 'Paid on Monday.', over: object = {}) => call('holdReply', { ticket, body, ...over });
const send = (id: string) => runDelayedSend(gateway.services, { workspace: firm.id, ticket, id });

describe('a delayed send', () => {
  test('is seen by nobody until it is sent, and is then sent once', async () => {
    using stream = await follow<TicketStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.tickets.stream.subscribe({ ticket }, handlers),
    );
    const delayed = await delay();
    expect(delayed).toMatchObject({ object: 'held_reply', ticket_id: ticket });
    expect(Date.parse(delayed.send_at) - gateway.clock.now().getTime()).toBe(10_000);
    const { rows } = await pool.query(
      `select payload, extract(epoch from run_at - now())::float8 as seconds from job_requests
       where workspace_id = $1 and task = 'tickets.send_delayed'`,
      [firm.id],
    );
    expect(rows).toMatchObject([{ payload: { workspace: firm.id, ticket, id: delayed.id } }]);
    expect(rows[0].seconds).toBeGreaterThan(0);
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?']);
    expect(await call('get', { ticket })).toMatchObject({ status: 'awaiting_admin', unread: 1 });

    await Promise.all([send(delayed.id), send(delayed.id)]);
    await send(delayed.id);
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?', 'Paid on Monday.']);
    expect(await call('get', { ticket })).toMatchObject({
      status: 'awaiting_trader',
      unread: 0,
      ai_enabled: false,
    });
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toMatchObject([
        { type: 'message.created', message: { id: delayed.id, author: 'Robin Example' } },
        { type: 'ticket.updated' },
      ]);
  });

  test('is stored once for calls with the same key', async () => {
    const key = crypto.randomUUID();
    const first = await gateway.rpc('tickets.holdReply', { token, body: { ticket, body: 'Once.' }, key });
    const again = await gateway.rpc('tickets.holdReply', { token, body: { ticket, body: 'Once.' }, key });
    expect(again.data).toEqual(first.data);
    const { rows } = await pool.query('select id from delayed_sends where workspace_id = $1', [firm.id]);
    expect(rows).toEqual([{ id: first.data.id }]);
  });

  test('is never sent once its author has taken it back', async () => {
    const { id } = await delay();
    expect(await call('takeBackReply', { ticket, id })).toEqual({ object: 'reply_taken_back', id });
    await send(id);
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?']);
    expect(await codeOf('takeBackReply', { ticket, id })).toBe('reply_sent');
  });

  test('can be taken back neither after it was sent nor by a colleague', async () => {
    const { id } = await delay();
    const colleague = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets', 'manage_tickets'],
    });
    const ofColleague = ticketCalls(gateway, () => colleague.token);
    expect((await ofColleague.rpc('takeBackReply', { ticket, id })).code).toBe('reply_sent');
    await send(id);
    expect(await codeOf('takeBackReply', { ticket, id })).toBe('reply_sent');
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?', 'Paid on Monday.']);
  });

  test.each(['resolved', 'closed'])('is sent before its ticket is %s', async (status) => {
    const first = await delay('First.');
    gateway.clock.advance(1_000);
    const second = await delay('Second.');
    expect(await call('setStatus', { ticket, status })).toMatchObject({ status });
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?', 'First.', 'Second.']);
    for (const { id } of [first, second]) await send(id);
    expect(await bodiesOf(ticket)).toHaveLength(3);
  });

  test('becomes a draft of the team on a ticket that ended without it', async () => {
    const { id } = await delay();
    await pool.query(
      `update tickets set status = 'closed', closed_at = now() where workspace_id = $1 and id = $2`,
      [firm.id, ticket],
    );
    await send(id);
    expect((await call('unsentReplies', { ticket })).data).toMatchObject([
      { id, author: 'Robin Example', text: 'Paid on Monday.', reason: 'ticket_ended' },
    ]);
    expect(await bodiesOf(ticket)).toEqual(['Where is my payout?']);
  });

  describe('that others have overtaken', () => {
    const newest = async () => (await call('messages', { ticket })).data[0].id;
    const draft = async () => (await call('draftsOf', { ticket })).reply;
    const state = async (id: string) => (await call('heldReply', { ticket, id })).state;
    const writeAs: Record<string, () => Promise<unknown>> = {
      'the trader': () =>
        withTransaction(gateway.services, (ctx) =>
          writeTraderMessage(
            { ...ctx, workspace: firm },
            { ticket, from: trader.email, body: 'It has arrived.', via_email: false },
          ),
        ),
      'a colleague': async () => {
        const colleague = await createUserWithToken(gateway, {
          firm,
          permissions: ['view_tickets', 'manage_tickets'],
        });
        await ticketCalls(gateway, () => colleague.token).call('addNote', { ticket, body: 'Do not pay.' });
      },
    };

    test.each(Object.keys(writeAs))(
      'by a message of %s is a draft again, and its author is told',
      async (who) => {
        using stream = await follow<ReplyDraftStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
          trpc.tickets.liveDrafts.subscribe({}, handlers),
        );
        const tag = await createTag(gateway.services, { firm });
        const { id } = await delay('Paid on Monday.', {
          seen_message_id: await newest(),
          actions: { add_tags: [tag], status: 'resolved' },
        });
        expect(await state(id)).toBe('held');
        await writeAs[who]!();
        const before = await bodiesOf(ticket);
        await send(id);
        expect(await bodiesOf(ticket)).toEqual(before);
        expect(await state(id)).toBe('not_sent');
        expect(await call('get', { ticket })).toMatchObject({ closed_at: null, tags: [] });
        const { version, ...returned } = await draft();
        expect(returned).toMatchObject({
          text: 'Paid on Monday.',
          macros: { ids: [], actions: { add_tags: [tag], status: 'resolved' } },
        });
        await expect
          .poll(() => stream.events.map(({ data }) => data))
          .toContainEqual({ type: 'reply_draft.saved', ticket_id: ticket, mode: 'reply', version });
        const { title } = (await notificationsOf(gateway, firm)).at(-1)!;
        expect(title).toMatch(/^Your reply on ticket #\w+ was not sent$/);
        // Sent knowingly, it is sent.
        const again = await delay('Paid on Monday.', { seen_message_id: await newest() });
        await send(again.id);
        expect(await bodiesOf(ticket)).toEqual([...before, 'Paid on Monday.']);
        expect(await state(again.id)).toBe('sent');
      },
    );

    test('comes before what its author has written since, also when the ticket ends', async () => {
      const { id } = await delay('Paid on Monday.', { seen_message_id: await newest() });
      await call('saveDraft', { ticket, mode: 'reply', text: 'And thanks.', base: null });
      await writeAs['the trader']!();
      await call('setStatus', { ticket, status: 'closed' });
      expect(await bodiesOf(ticket)).toEqual(['Where is my payout?', 'It has arrived.']);
      expect(await draft()).toMatchObject({ text: 'Paid on Monday.\n\nAnd thanks.', macros: null });
      expect(await state(id)).toBe('not_sent');
    });

    test.each(['due', 'sent because the ticket ends'])(
      'is before the next one of its author when they are %s',
      async (when) => {
        const seen_message_id = await newest();
        const first = await delay('First.', { seen_message_id });
        gateway.clock.advance(1_000);
        const second = await delay('Second.', { seen_message_id });
        await call('saveDraft', { ticket, mode: 'reply', text: 'Third.', base: null });
        await writeAs['the trader']!();
        if (when !== 'due') await call('setStatus', { ticket, status: 'closed' });
        for (const { id } of [first, second]) await send(id);
        expect((await draft()).text).toBe('First.\n\nSecond.\n\nThird.');
        expect(await bodiesOf(ticket)).toEqual(['Where is my payout?', 'It has arrived.']);
      },
    );

    test('is sent if only its author has written, or if it was to be sent in any case', async () => {
      const first = await delay('First.', { seen_message_id: await newest() });
      const second = await delay('Second.', { seen_message_id: await newest() });
      await call('addNote', { ticket, body: 'Mine.' });
      for (const { id } of [first, second]) await send(id);
      const blind = await delay('Blind.');
      await writeAs['the trader']!();
      await send(blind.id);
      expect(await bodiesOf(ticket)).toEqual([
        'Where is my payout?',
        'Mine.',
        'First.',
        'Second.',
        'It has arrived.',
        'Blind.',
      ]);
    });
  });

  test('is checked as a reply when it is accepted', async () => {
    expect(await codeOf('holdReply', { ticket, body: 'x', seen_message_id: null })).toBe('newer_messages');
    await call('setStatus', { ticket, status: 'closed' });
    expect(await codeOf('holdReply', { ticket, body: 'x' })).toBe('ticket_ended');
    expect(await codeOf('holdReply', { ticket: `tkt_${'0'.repeat(26)}`, body: 'x' })).toBe(
      'resource_not_found',
    );
  });
});
