import type { Permission } from '@firmdesk/contract';
import {
  type CreateTicketInput,
  countRoundTrips,
  createTag,
  createTeam,
  createUser,
} from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  suiteGateway,
  type TicketFixture,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startRun } from '../../assistant/runs/run.ts';
import { notify, receiveTraderMessage, withTransaction } from '../../index.ts';
import { lockTicket } from '../ticket-state.ts';

/** The round trips of a reply, from the lookup of its token to the commit, both included. A write that does more states its own limit. */
const MOST = 8;

const gateway = await suiteGateway();
const roundTrips = countRoundTrips(gateway.services);

const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
const fixture: TicketFixture = await createTicketFixture(gateway, permissions);
const { firm, agent, trader } = fixture;
const { token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] });
const team = await createTeam(gateway.services, { firm, members: [agent] });
const tags = [
  await createTag(gateway.services, { firm, name: 'b' }),
  await createTag(gateway.services, { firm, name: 'a' }),
];
const { call, get } = ticketCalls(gateway, () => fixture.token);

beforeAll(async () => {
  await createUser(gateway.services, { firm, permissions });
});

const opening = { from: trader.email, subject: 'Payout', body: 'Where is it?' };
const ask = (ticket: string) => call('askAssistant', { ticket, instruction: 'Be brief.' });
const askTwice = async (ticket: string) => {
  await ask(ticket);
  await ask(ticket);
};
/** A ticket that the assistant answers. */
const answered = { aiEnabled: true, status: 'open' } as const;
/** Makes the trader write, and starts the assistant's answer as a worker does. */
async function startAnswer(ticket: string): Promise<void> {
  await call('platform.write', { ticket, from: trader.email, body: 'Hello?' }, platform);
  const { rows } = await gateway.services.pool.query(
    'select id::text as id from assistant_runs where ticket_id = $1 and ended_at is null',
    [ticket],
  );
  const run = { workspaceId: firm.id, runId: rows[0].id };
  expect(await withTransaction(gateway.services, (ctx) => startRun(ctx, run))).not.toBe(null);
}

interface Write {
  most?: number;
  prepare?: (ticket: string) => Promise<unknown>;
  ticket?: Partial<CreateTicketInput>;
  procedure: string;
  input: object;
  token?: string;
}

const writes: Record<string, Write> = {
  'a reply': { procedure: 'reply', input: { body: 'Hello' } },
  'a reply that names what its author has seen': {
    ticket: { messages: [] },
    procedure: 'reply',
    input: { body: 'Hello', seen_message_id: null },
  },
  'a note': { procedure: 'addNote', input: { body: 'Hello' } },
  'a note that mentions a colleague': {
    most: 9,
    procedure: 'addNote',
    input: { body: 'Hello', mentions: [agent.id] },
  },
  following: { procedure: 'follow', input: { following: true } },
  'a draft': { most: 10, procedure: 'saveDraft', input: { mode: 'reply', text: 'Hello', base: null } },
  'a note that names what its author has seen': {
    ticket: { messages: [] },
    procedure: 'addNote',
    input: { body: 'Hello', seen_message_id: null },
  },
  'an end': { procedure: 'setStatus', input: { status: 'closed' } },
  'a status that notifies the team': {
    most: 11,
    procedure: 'setStatus',
    input: { status: 'awaiting_admin' },
  },
  'a priority': { procedure: 'setPriority', input: { priority: 'urgent' } },
  'an assignment to an agent': { most: 9, procedure: 'assign', input: { assignee: agent.id } },
  'an assignment to a team': { most: 9, procedure: 'assign', input: { team } },
  tags: { most: 10, procedure: 'setTags', input: { tags } },
  'reading the messages': { procedure: 'markRead', input: {} },
  'blocking the assistant': { procedure: 'blockAssistant', input: { blocked: true } },
  'switching the assistant off': {
    most: 11,
    ticket: { aiEnabled: true, status: 'open' },
    procedure: 'switchAssistant',
    input: { enabled: false },
  },
  'switching the assistant on': {
    most: 13,
    ticket: { aiEnabled: false, status: 'awaiting_admin' },
    procedure: 'switchAssistant',
    input: { enabled: true },
  },
  'a command to the assistant': { most: 13, procedure: 'askAssistant', input: { instruction: 'Say hello.' } },
  'a second command': {
    most: 12,
    prepare: ask,
    procedure: 'askAssistant',
    input: { instruction: 'Say hello.' },
  },
  'a command that replaces an answer': {
    most: 17,
    ticket: answered,
    prepare: startAnswer,
    procedure: 'askAssistant',
    input: { instruction: 'Say hello.' },
  },
  'stopping a command': { most: 9, prepare: ask, procedure: 'stopAssistant', input: {} },
  'stopping an answer': {
    most: 12,
    ticket: answered,
    prepare: startAnswer,
    procedure: 'stopAssistant',
    input: {},
  },
  'stopping two commands': { most: 12, prepare: askTwice, procedure: 'stopAssistant', input: {} },
  'a reply beside a command': { most: 10, prepare: ask, procedure: 'reply', input: { body: 'Hello' } },
  'a reply beside an answer': {
    most: 10,
    ticket: answered,
    prepare: startAnswer,
    procedure: 'reply',
    input: { body: 'Hello' },
  },
  'a note beside a command': { prepare: ask, procedure: 'addNote', input: { body: 'Hello' } },
  'an end beside a command': { most: 10, prepare: ask, procedure: 'setStatus', input: { status: 'closed' } },
  'a status that stops an answer': {
    most: 13,
    ticket: answered,
    prepare: startAnswer,
    procedure: 'setStatus',
    input: { status: 'awaiting_admin' },
  },
  'an assignment to both': { most: 10, procedure: 'assign', input: { assignee: agent.id, team } },
  'opening a ticket for the team': {
    most: 11,
    procedure: 'platform.open',
    input: { ...opening, ai_enabled: false },
    token: platform,
  },
  'opening a ticket for the assistant': {
    most: 12,
    procedure: 'platform.open',
    input: opening,
    token: platform,
  },
  'a trader’s message to an ended ticket': {
    most: 14,
    ticket: { status: 'closed' },
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
  'calling the assistant back': {
    most: 13,
    ticket: { aiEnabled: false, status: 'awaiting_admin' },
    procedure: 'platform.callAssistant',
    input: { from: trader.email },
    token: platform,
  },
  'a trader’s new name': {
    procedure: 'platform.traderRenamed',
    input: { trader: trader.id },
    token: platform,
  },
  'a trader’s message beside an answer': {
    most: 11,
    ticket: answered,
    prepare: startAnswer,
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
  'a trader’s message to the team': {
    most: 11,
    ticket: { aiEnabled: false },
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
  'a trader’s message to a ticket with followers': {
    most: 11,
    ticket: { aiEnabled: false },
    prepare: (ticket) => call('follow', { ticket, following: true }),
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
  'a trader’s message to the assistant': {
    most: 12,
    ticket: { aiEnabled: true },
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
};

/** Calls a procedure for a new ticket. Returns its round trips, its answer, and the ticket as it is stored then. */
async function run({ ticket, prepare, procedure, input, token }: Write) {
  const id = await fixture.createTicket({
    status: 'awaiting_trader',
    unread: 1,
    lastFrom: 'trader',
    messages: [{ body: 'Question' }],
    ...ticket,
  });
  await prepare?.(id);
  const before = roundTrips();
  const answer = await call(procedure, { ticket: id, ...input }, token);
  const count = roundTrips() - before;
  const {
    can: _can,
    merged_into: _into,
    links: _links,
    trader_language: _language,
    following: _following,
    ...stored
  } = await get(answer.ticket?.id ?? id);
  return { count, answer, stored };
}

describe('a write of the desk takes no more round trips to the database than stated, and answers what it stored', () => {
  test.each(Object.entries(writes))('%s', async (_name, write) => {
    // The first call also records the use of its token.
    await run(write);
    const { count, answer, stored } = await run(write);
    expect(count).toBeLessThanOrEqual(write.most ?? MOST);
    const ticket = answer.object === 'trader_wrote' ? answer.ticket : answer;
    if (ticket.object === 'ticket') expect(ticket).toEqual(stored);
  });
});

test('the statements that lock and read a ticket are prepared, because planning the second takes longer than executing it', async () => {
  const id = await fixture.createTicket({});
  const prepared = await withTransaction(gateway.services, async (ctx) => {
    const before = roundTrips();
    for (let times = 0; times < 3; times++) await lockTicket(ctx, firm.id, id);
    expect(roundTrips() - before).toBe(6);
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement ~ '\\mfrom tickets\\M'`.execute(ctx.db);
    return rows.map(({ statement }) => /last_written_at|for no key update/.exec(statement)?.[0]);
  });
  expect(prepared).toEqual(expect.arrayContaining(['for no key update', 'last_written_at']));
});

test('the operator’s command opens a ticket with at most ten round trips', async () => {
  const open = () =>
    withTransaction(gateway.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: firm.slug,
        from: trader.email,
        open: 'Payout',
        body: 'Where is it?',
        via_email: false,
      }),
    );
  await open();
  const before = roundTrips();
  const { ticket } = await open();
  expect(roundTrips() - before).toBeLessThanOrEqual(10);
  const {
    can: _can,
    merged_into: _into,
    links: _links,
    trader_language: _language,
    following: _following,
    ...stored
  } = await get(ticket.id);
  expect(ticket).toEqual(stored);
});

describe('a change of the notification centre takes at most eight round trips', () => {
  const changes: Record<string, [procedure: string, input: object]> = {
    'marking all as read': ['notifications.markRead', { all: true }],
    'turning off a channel': [
      'notifications.changeSetting',
      { topic: 'mention', channel: 'bell', on: false },
    ],
  };

  test.each(Object.entries(changes))('%s', async (_name, [procedure, body]) => {
    const { user, token } = await createUserWithToken(gateway, { firm });
    const change = async () => {
      await withTransaction(gateway.services, (ctx) =>
        notify(ctx, {
          workspace: firm.slug,
          kind: 'new_device_signed_in',
          title: 'Paid',
          action_url: '/',
          to: [user.email],
        }),
      );
      const before = roundTrips();
      expect((await gateway.rpc(procedure, { token, body })).code).toBe(null);
      return roundTrips() - before;
    };
    await change();
    expect(await change()).toBeLessThanOrEqual(MOST);
  });
});
