import type { Permission } from '@firmdesk/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createTicketFixture,
  createUserWithToken,
  suiteGateway,
  type TicketFixture,
  ticketCalls,
} from '../testing/gateway.ts';
import {
  type CreateTicketInput,
  countRoundTrips,
  createTag,
  createTeam,
  createUser,
} from '../testing/index.ts';

/** From the lookup of the token to the commit, both included. */
const MOST = 5;

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

interface Write {
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
  'an end': { procedure: 'setStatus', input: { status: 'closed' } },
  'a status that notifies the team': { procedure: 'setStatus', input: { status: 'awaiting_admin' } },
  'a priority': { procedure: 'setPriority', input: { priority: 'urgent' } },
  'an assignment to an agent': { procedure: 'assign', input: { assignee: agent.id } },
  'an assignment to a team': { procedure: 'assign', input: { team } },
  tags: { procedure: 'setTags', input: { tags } },
  'reading the messages': { procedure: 'markRead', input: {} },
  'blocking the assistant': { procedure: 'blockAssistant', input: { blocked: true } },
  'a trader’s message to the team': {
    ticket: { aiEnabled: false },
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
  'a trader’s message to the assistant': {
    ticket: { aiEnabled: true },
    procedure: 'platform.write',
    input: { from: trader.email, body: 'Hello' },
    token: platform,
  },
};

/** Calls a procedure for a new ticket. Returns its round trips, its answer, and the ticket as it is stored then. */
async function run({ ticket, procedure, input, token }: Write) {
  const id = await fixture.createTicket({
    status: 'awaiting_trader',
    unread: 1,
    lastFrom: 'trader',
    messages: [{ body: 'Question' }],
    ...ticket,
  });
  const before = roundTrips();
  const answer = await call(procedure, { ticket: id, ...input }, token);
  const count = roundTrips() - before;
  const { can: _, ...stored } = await get(id);
  return { count, answer, stored };
}

describe('a write of the desk takes at most five round trips to the database, and answers what it stored', () => {
  test.each(Object.entries(writes))('%s', async (_name, write) => {
    // The first call also records the use of its token.
    await run(write);
    const { count, answer, stored } = await run(write);
    expect(count).toBeLessThanOrEqual(MOST);
    const ticket = answer.object === 'trader_wrote' ? answer.ticket : answer;
    if (ticket.object === 'ticket') expect(ticket).toEqual(stored);
  });
});
