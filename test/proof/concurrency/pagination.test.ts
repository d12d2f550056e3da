/**
 * A client that reads a list page by page while fifty writers change it gets every row that stayed exactly once. The lists are
 * the procedures that declare `starting_after`; `lists` says how each is filled and changed.
 */
import { randomUUID } from 'node:crypto';
import {
  appRouter,
  closeServices,
  createServices,
  declaredProcedures,
  newId,
  preRegister,
  withTransaction,
} from '@firmdesk/domain';
import { createMailMessage, createTicket, createUser, unique } from '@firmdesk/testing';
import { type Json, openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Input } from '../examples.ts';
import { createDelivery, createFixtures, type Fixtures, ownToken } from '../fixtures.ts';
import { inputSchemaOf } from '../references.ts';

const WRITERS = 50;
/** Connections of all writers together. */
const CONNECTIONS = 20;
const STAYING = 60;
const MOVING = 40;
const LIMIT = 9;
/** Maximum number of changes while a list is read: it must not grow faster than it is read. */
const CHANGES = 300;

/** One list: its inputs, how to fill it, and how writers change the rows that do not stay. */
interface List {
  /** The inputs with which the list is read. */
  inputs(fixtures: Fixtures): Input[];
  /** Adds rows and returns their ids. */
  fill(fixtures: Fixtures, count: number): Promise<string[]>;
  /** Changes or removes a row, or adds another. */
  change(fixtures: Fixtures, id: string, turn: number): Promise<unknown>;
}

let gateway: TestGateway;
/** The writers' own node, so that they do not delay the reader. */
let others: TestGateway['services'];
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'));
  others = await createServices({
    databaseUrl: gateway.databaseUrl,
    clock: gateway.clock,
    poolSizes: { main: CONNECTIONS },
  });
});
afterAll(async () => {
  await closeServices(others);
  await gateway[Symbol.asyncDispose]();
});

const sql = (text: string, values: unknown[]) => others.pool.query(text, values);
async function times<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let i = 0; i < count; i++) made.push(await make(i));
  return made;
}
/** Returns the time of a row. Three successive rows have the same time. */
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 3) * 1_000);
const pick = <T>(values: readonly T[], turn: number): T => values[turn % values.length]!;

const preRegistrations: List = {
  inputs: () => [{}, { status: 'pending' }],
  fill: (fixtures, count) => times(count, () => createPreRegistration(fixtures)),
  change: async (fixtures, id, turn) =>
    turn % 3 === 0
      ? createPreRegistration(fixtures)
      : sql(`update affiliate_pre_registrations set status = $2 where id = $1`, [
          id,
          pick(['revoked', 'pending'], turn),
        ]),
};

const tickets: List = {
  inputs: () =>
    ['queue', '-last_message_at', '-created_at', 'created_at', '-priority'].map((sort) => ({ sort })),
  fill: ({ home, trader }, count) =>
    times(count, (i) =>
      createTicket(others, {
        firm: home,
        trader: { id: trader.text, email: '' },
        status: pick(['open', 'awaiting_admin', 'awaiting_trader', 'closed'], i),
        priority: pick(['low', 'normal', 'high', 'urgent'], i),
        lastMessageAt: timeOf(i),
        traderWroteAt: timeOf(i),
        createdAt: timeOf(i),
      }),
    ),
  change: ({ home, trader }, id, turn) =>
    turn % 4 === 0
      ? createTicket(others, {
          firm: home,
          trader: { id: trader.text, email: '' },
          createdAt: timeOf(turn),
        })
      : sql(
          `update tickets set priority = $2, status = $3, last_message_at = $4, trader_wrote_at = $4, closed_at = null where id = $1`,
          [id, pick(['low', 'urgent', 'high'], turn), pick(['awaiting_admin', 'open'], turn), timeOf(turn)],
        ),
};

const lists: Record<string, List> = {
  'affiliates.list': preRegistrations,
  'affiliates.admin.list': preRegistrations,

  'mail.list': {
    inputs: ({ mailbox }) => [{ address_id: mailbox.number }],
    fill: ({ mailbox }, count) =>
      times(count, async (i) => {
        const createMessage = { mailbox: { id: mailbox.number! }, messageAt: timeOf(i).toISOString() };
        return (await createMailMessage(others, createMessage)).id;
      }),
    change: ({ mailbox }, id, turn) =>
      turn % 3 === 0
        ? createMailMessage(others, {
            mailbox: { id: mailbox.number! },
            messageAt: timeOf(turn).toISOString(),
          })
        : sql(`update mail_messages set folder = $2, is_read = not is_read where id = $1`, [
            id,
            pick(['archive', 'inbox'], turn),
          ]),
  },

  'mail.threads.list': {
    inputs: ({ mailbox }) => [{ address_id: mailbox.number }],
    fill: ({ mailbox }, count) => times(count, (i) => conversation(mailbox.number!, timeOf(i))),
    change: ({ mailbox }, id, turn) =>
      turn % 3 === 0
        ? conversation(mailbox.number!, timeOf(turn))
        : sql(`update mail_messages set folder = $2, is_read = not is_read where thread_id = $1`, [
            id,
            pick(['archive', 'inbox'], turn),
          ]),
  },

  'firm.members.traders': {
    inputs: () => [{}, { sort: 'created_at' }, { sort: 'name' }, { sort: '-name', q: 'a' }],
    fill: ({ home }, count) =>
      times(count, async () => (await createUser(others, { firm: home, role: 'trader' })).id),
    change: ({ home }, id, turn) =>
      turn % 3 === 0
        ? createUser(others, { firm: home, role: 'trader' })
        : sql(
            turn % 3 === 1
              ? `update memberships set active = not active where user_id = $1`
              : `update users set name = name || ' a' where id = $1`,
            [id],
          ),
  },

  'firm.webhooks.deliveries': {
    inputs: ({ webhookEndpoint }) => [
      { sort: 'created_at' },
      { endpoint: webhookEndpoint.text },
      { q: 'ticket' },
    ],
    fill: (fixtures, count) => times(count, () => addDelivery(fixtures)),
    change: (fixtures, id, turn) =>
      turn % 3 === 0
        ? addDelivery(fixtures)
        : sql(`update webhook_deliveries set attempts = attempts + 1 where id = $1`, [id]),
  },

  'firm.audit.list': {
    inputs: () => [{}, { kind: 'firm' }],
    fill: ({ home }, count) => times(count, (i) => auditEvent(home, timeOf(i))),
    change: ({ home }, _, turn) => auditEvent(home, timeOf(turn)),
  },

  'notifications.list': {
    inputs: () => [{}, { unread: true }],
    fill: (fixtures, count) => times(count, (i) => raiseNotificationAt(fixtures, timeOf(i))),
    change: (fixtures, id, turn) =>
      turn % 3 === 0
        ? raiseNotificationAt(fixtures, timeOf(turn))
        : sql(`update notifications set read_at = $2 where id = $1`, [id, pick([new Date(), null], turn)]),
  },

  'macros.list': {
    inputs: () => [{}, { usable: true }],
    fill: (fixtures, count) => times(count, (i) => createMacro(fixtures, Math.floor(i / 3))),
    change: (fixtures, id, turn) =>
      turn % 3 === 0
        ? createMacro(fixtures, turn)
        : sql(`update macros set position = $3 where workspace_id = $1 and id = $2`, [
            fixtures.home.id,
            id,
            turn,
          ]),
  },

  'tickets.list': tickets,
  'tickets.search': tickets,

  'tickets.history': {
    inputs: ({ ticket }) => [{ ticket: ticket.text }],
    fill: ({ home, ticket }, count) => times(count, () => historyEntry(home, ticket.text)),
    change: ({ home, ticket }) => historyEntry(home, ticket.text),
  },

  'tickets.bulkChanges.skipped': {
    inputs: ({ bulkChange }) => [{ id: bulkChange.text }],
    fill: ({ home, bulkChange }, count) => times(count, () => skippedTicket(home, bulkChange.text)),
    change: ({ home, bulkChange }) => skippedTicket(home, bulkChange.text),
  },

  'tickets.messages': {
    inputs: ({ ticket }) => [{ ticket: ticket.text }],
    fill: ({ ticket }, count) => times(count, (i) => message(ticket.text, timeOf(i))),
    change: ({ ticket }, id, turn) =>
      turn % 3 === 0
        ? message(ticket.text, timeOf(turn))
        : sql(`update ticket_messages set body = $2, internal = not internal where id = $1`, [
            id,
            `changed ${turn}`,
          ]),
  },
};

const paged = declaredProcedures(appRouter).filter(
  // The firms are a list of the service's own staff (`app/firms/staff-firms.test.ts`).
  ({ name, meta }) => !name.startsWith('staff.') && inputSchemaOf(meta).properties?.starting_after,
);

describe.each(paged)('$name', ({ name, spec }) => {
  test('returns every row that stays exactly once', { timeout: 300_000 }, async () => {
    const list = lists[name];
    if (!list) throw new Error(`Add the list ${name} to ${import.meta.filename}.`);
    const fixtures = await createFixtures(gateway);
    const token = await ownToken(gateway, spec, fixtures);
    const staying = await list.fill(fixtures, STAYING);
    const moving = await list.fill(fixtures, MOVING);
    for (const input of list.inputs(fixtures)) {
      let isReading = true;
      let turn = 0;
      const writers = Array.from({ length: WRITERS }, async () => {
        while (isReading && turn < CHANGES) {
          turn++;
          await list.change(fixtures, moving[turn % MOVING]!, turn);
        }
      });
      const counts = await countRowsOfPages(name, token, input).finally(() => {
        isReading = false;
      });
      await Promise.all(writers);
      expect(turn, 'changes meanwhile').toBeGreaterThan(WRITERS);
      for (const id of staying) expect(counts.get(id) ?? 0, `${id} with ${JSON.stringify(input)}`).toBe(1);
    }
  });
});

/** Reads all pages and returns how often each row occurred. */
async function countRowsOfPages(name: string, token: string, input: Input): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // The list grows meanwhile; the limit ends a pagination that never ends.
  for (let page = 0, cursor: string | null = null; page < 500; page++) {
    const answer = await gateway.rpc(name, {
      token,
      body: { ...input, limit: LIMIT, ...(cursor !== null && { starting_after: cursor }) },
    });
    expect(answer.code, answer.text).toBeNull();
    for (const { id } of answer.data.data as Json[])
      counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
    cursor = answer.data.meta.next_cursor;
    if (cursor === null) return counts;
  }
  throw new Error(`The pagination of ${name} did not end.`);
}

let batches = 0;
/** Adds a batch with a skipped ticket, and returns the ticket's id. */
async function skippedTicket(firm: { id: number }, bulkChange: string): Promise<string> {
  const ticket = newId('ticket', new Date());
  await sql(
    `insert into bulk_change_batches (workspace_id, bulk_change_id, position, tickets, skipped)
     values ($1, $2, $3, '{}', jsonb_build_array(jsonb_build_array($4::text, 'ended')))`,
    [firm.id, bulkChange, batches++, ticket],
  );
  return ticket;
}

/** Adds a conversation of one message, and returns its id. */
async function conversation(mailbox: number, at: Date): Promise<string> {
  const message = await createMailMessage(others, { mailbox: { id: mailbox }, messageAt: at.toISOString() });
  return String(message.threadId);
}

async function auditEvent(firm: { id: number; slug: string }, at: Date): Promise<string> {
  const { rows } = await sql(
    `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
     values ($1, $2, 'system', 'firm.suspended', 'firm', $3) returning id`,
    [firm.id, at, firm.slug],
  );
  return String(rows[0].id);
}

const addDelivery = ({ home, webhookEndpoint, ticket }: Fixtures) =>
  createDelivery(others, { firm: home.id, endpoint: webhookEndpoint.text, subject: ticket.text });

async function createPreRegistration({ home }: Fixtures): Promise<string> {
  const created = await withTransaction(others, (ctx) =>
    preRegister(
      { ...ctx, workspace: home },
      {
        email: `${unique('affiliate')}@example.com`,
        referral_code: unique('code'),
        referral_url: 'https://example.com/r',
        source: 'api',
        metadata: {},
      },
    ),
  );
  return created.id;
}

async function raiseNotificationAt({ home, owner }: Fixtures, at: Date): Promise<string> {
  const id = randomUUID();
  await sql(
    `insert into notifications (id, workspace_id, user_id, kind, title, action_url, created_at)
     values ($1, $2, $3, 'ticket_awaiting_admin', 'A ticket waits', '/tickets', $4)`,
    [id, home.id, owner.id, at],
  );
  return id;
}

async function createMacro({ home }: Fixtures, position: number): Promise<string> {
  const id = newId('macro', new Date());
  await sql(
    `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, created_at)
     values ($1, $2, $3, 'Paid', $2, '[{"language": "en", "text": "Paid."}]', '{}', false, now())`,
    [home.id, id, position],
  );
  return id;
}

async function historyEntry(firm: { id: number }, ticket: string): Promise<string> {
  const { rows } = await sql(
    `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id, before, after)
     values ($1, now(), 'system', 'ticket.changed', 'ticket', $2, '{"priority": "low"}', '{"priority": "high"}') returning id::text`,
    [firm.id, ticket],
  );
  return rows[0].id;
}

async function message(ticket: string, at: Date): Promise<string> {
  const { rows } = await sql(
    `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, internal, streaming, via_email, created_at, search_text)
     select 'tmsg_' || substr(md5(random()::text), 1, 26), id, workspace_id, 'trader', 'Ann', 'Hello', false, false, false, $2, 'hello'
     from tickets where id = $1 returning id`,
    [ticket, at],
  );
  return rows[0].id;
}
