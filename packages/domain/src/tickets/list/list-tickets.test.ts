import {
  type ListTicketsInput,
  type TicketPriority,
  type TicketSort,
  type TicketStatus,
  ticketPriorities,
  ticketSorts,
  ticketStatuses,
} from '@firmdesk/contract';
import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { NEVER_DUE } from '../../sla/index.ts';
import { changeTicket } from '../changes/changes.ts';
import { lockTicket } from '../ticket-state.ts';
import { listTickets } from './list-tickets.ts';

type Firm = Awaited<ReturnType<typeof createWorkspace>>;

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

function list(firm: Firm, over: Partial<ListTicketsInput>) {
  const ctx = { ...newContext(base.services), workspace: firm, identity: { user: { id: 'usr_nobody' } } };
  return listTickets(ctx as AccountContext, {
    status: 'all',
    assignee: 'anyone',
    team: 'any',
    priority: 'all',
    tag: 'all',
    snoozed: 'all',
    sort: 'queue',
    limit: 20,
    ...over,
  });
}

async function readAllPages(firm: Firm, sort: TicketSort, limit: number, between?: () => Promise<void>) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(firm, { sort, limit, ...(cursor !== null && { starting_after: cursor }) });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.meta.next_cursor;
    await between?.();
  } while (cursor !== null);
  return ids;
}

interface Plain {
  id: string;
  status: TicketStatus;
  priority: TicketPriority;
  createdAt: Date;
  lastMessageAt: Date;
  traderWroteAt: Date;
  nextDueAt: Date;
}

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const urgency = (ticket: Plain) => ticketPriorities.indexOf(ticket.priority);
const group = ({ status }: Plain) =>
  status === 'awaiting_admin' ? 0 : status === 'open' ? 1 : status === 'awaiting_trader' ? 2 : 3;

/** The sorts of contract §4.7, G-16 and G-17. */
const comparators: Record<TicketSort, (a: Plain, b: Plain) => number> = {
  queue: (a, b) =>
    group(a) - group(b) ||
    (group(a) === 0
      ? urgency(a) - urgency(b) || +a.traderWroteAt - +b.traderWroteAt || text(a.id, b.id)
      : +b.lastMessageAt - +a.lastMessageAt || text(b.id, a.id)),
  '-last_message_at': (a, b) => +b.lastMessageAt - +a.lastMessageAt || text(b.id, a.id),
  '-created_at': (a, b) => +b.createdAt - +a.createdAt || text(b.id, a.id),
  created_at: (a, b) => +a.createdAt - +b.createdAt || text(a.id, b.id),
  '-priority': (a, b) => urgency(a) - urgency(b) || +b.lastMessageAt - +a.lastMessageAt || text(b.id, a.id),
  next_due_at: (a, b) => +a.nextDueAt - +b.nextDueAt || text(a.id, b.id),
};

// Few dates, and ids that are prefixes of each other, so that ties are frequent.
const moment = fc
  .constantFrom(-1, 0, 1, 1000, 1_700_000_000_000, 1_700_000_000_001, 1_700_000_000_002)
  .map((at) => new Date(at));
const ticket = fc.record({
  status: fc.constantFrom(...ticketStatuses),
  priority: fc.constantFrom(...ticketPriorities),
  createdAt: moment,
  lastMessageAt: moment,
  traderWroteAt: moment,
  nextDueAt: fc.oneof(moment, fc.constant(new Date(NEVER_DUE))),
});
const ids = fc.uniqueArray(fc.stringMatching(/^[09AZaz]{6,9}$/), {
  minLength: 40,
  maxLength: 40,
  selector: (id) => id.slice(-6).toUpperCase(),
});

test('sorts any tickets as the comparator does, at any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      ids,
      fc.array(ticket, { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      async (ids, tickets, limit) => {
        const firm = await createWorkspace(base.services);
        const trader = await createUser(base.services, { firm, role: 'trader' });
        const prefix = `tkt_${firm.id.toString(36).padStart(6, '0')}`;
        const plain: Plain[] = tickets.map((ticket, i) => ({ ...ticket, id: `${prefix}${ids[i]}` }));
        for (const ticket of plain) await createTicket(base.services, { firm, trader, ...ticket });
        for (const sort of ticketSorts) {
          const expected = [...plain].sort(comparators[sort]).map(({ id }) => id);
          expect(await readAllPages(firm, sort, limit)).toEqual(expected);
        }
      },
    ),
    { numRuns: 8 },
  );
});

test.each(ticketSorts)(
  'returns each unmoved ticket once while pages of the sort %s are read and writers move other tickets',
  async (sort) => {
    const firm = await createWorkspace(base.services);
    const trader = await createUser(base.services, { firm, role: 'trader' });
    const unmoved = new Set<string>();
    const moves: string[] = [];
    for (let i = 0; i < 120; i++) {
      const id = await createTicket(base.services, {
        firm,
        trader,
        status: ticketStatuses[i % 3]!,
        priority: ticketPriorities[i % 4]!,
        createdAt: new Date(1_700_000_000_000 + (i % 7)),
      });
      if (i % 2) unmoved.add(id);
      else moves.push(id);
    }
    const random = fc.sample(fc.nat(), { numRuns: 2000, seed: 7 });
    let step = 0;
    const next = (below: number) => random[step++ % random.length]! % below;
    const write = () => writeRandomly(firm, trader, moves[next(moves.length)]!, next(3));
    for (let round = 0; round < 3; round++) {
      const listed = await readAllPages(firm, sort, 7, async () => {
        await Promise.all(Array.from({ length: 6 }, write));
      });
      const listedUnmoved = listed.filter((id) => unmoved.has(id));
      expect(new Set(listedUnmoved).size).toBe(listedUnmoved.length);
      expect(new Set(listedUnmoved)).toEqual(unmoved);
    }
  },
);

/** Changes a priority or status, or adds a ticket. */
async function writeRandomly(firm: Firm, trader: TestUser, id: string, kind: number): Promise<void> {
  if (kind === 2) {
    await createTicket(base.services, { firm, trader });
    return;
  }
  await withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, id);
    const priority = ticketPriorities[(ticketPriorities.indexOf(ticket.priority) + 1) % 4]!;
    const status = ticket.status === 'open' ? 'awaiting_trader' : 'open';
    await changeTicket(ctx, ticket, kind === 0 ? { priority } : { status });
  });
}
