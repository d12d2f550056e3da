/**
 * The console decides for itself whether a ticket that changed belongs in the list on the screen. Its decision agrees with the
 * service's SQL for every filter, on random tickets.
 */
import { type Ticket, ticketGroups, ticketPriorities, ticketStatuses } from '@firmdesk/contract';
import { createTag, createTeam, createTicket, createToken, createUser } from '@firmdesk/testing';
import { suiteGateway } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { InboxSearch } from '../../apps/console/src/inbox/search/inbox-search.ts';
import { matches } from '../../apps/console/src/inbox/search/match.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';

const TICKETS = 80;
const SEED = 20_261_122;

const gateway = await suiteGateway();
let fixtures: Fixtures;
let token: string;
let tickets: Ticket[];
const ids = { agents: [] as string[], teams: [] as number[], tags: [] as number[] };
let mine: number;

beforeAll(async () => {
  const { services } = gateway;
  fixtures = await createFixtures(gateway);
  const { home: firm, owner } = fixtures;
  token = (await createToken(services, { user: owner, workspace: firm.slug, scopes: ['admin:read'] })).text;
  const agents = [owner, await createUser(services, { firm, permissions: ['manage_tickets'] })];
  mine = await createTeam(services, { firm, members: [owner] });
  const teams = [mine, await createTeam(services, { firm, members: [] })];
  const tags = [await createTag(services, { firm }), await createTag(services, { firm })];
  Object.assign(ids, { agents: agents.map(({ id }) => id), teams, tags });
  const trader = await createUser(services, { firm, role: 'trader' });
  const chance = fc.record(
    {
      status: fc.constantFrom(...ticketStatuses),
      priority: fc.constantFrom(...ticketPriorities),
      assignee: fc.constantFrom(...agents),
      team: fc.constantFrom(...teams),
      tags: fc.subarray(tags),
    },
    { requiredKeys: ['status', 'priority'] },
  );
  for (const ticket of fc.sample(chance, { numRuns: TICKETS, seed: SEED })) {
    await createTicket(services, { firm, trader, ...ticket });
  }
  tickets = await listed({});
  expect(tickets.length).toBeGreaterThanOrEqual(TICKETS);
});

/** Returns the tickets that the service lists. */
async function listed(filters: InboxSearch): Promise<Ticket[]> {
  const answer = await gateway.rpc('tickets.list', { token, body: { ...filters, limit: 100 } });
  expect(answer.code, answer.text).toBeNull();
  expect(answer.data.meta.has_more).toBe(false);
  return answer.data.data;
}

async function expectAgreement(filters: InboxSearch): Promise<void> {
  const caller = { id: fixtures.owner.id, teams: [mine] };
  const expected = (await listed(filters)).map(({ id }) => id).sort();
  const matching = tickets.filter((ticket) => matches(ticket, filters, caller) === true);
  expect(matching.map(({ id }) => id).sort(), JSON.stringify(filters)).toEqual(expected);
}

test.each(ticketGroups)('console and service agree on the group %s', async (status) => {
  await expectAgreement({ status });
  for (const priority of ticketPriorities) await expectAgreement({ status, priority });
});

test('console and service agree on random combinations of filters', async () => {
  const texts = (numbers: number[]) => numbers.map(String);
  const filters = fc.record(
    {
      status: fc.constantFrom(...ticketGroups),
      priority: fc.constantFrom(...ticketPriorities),
      assignee: fc.constantFrom('anyone', 'me', 'none', ...ids.agents),
      team: fc.constantFrom('any', 'none', ...texts(ids.teams)),
      tag: fc.constantFrom('all', ...texts(ids.tags)),
    },
    { requiredKeys: [] },
  );
  for (const one of fc.sample(filters, { numRuns: 150, seed: SEED })) await expectAgreement(one);
});
