import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { closeServices, createServices } from '../../app/services.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { run } from '../../platform/search/add-postings.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import type { SearchLimits, SearchPlan } from '../../platform/search/search-records.ts';
import { addMessage, finishReply } from '../changes/changes.ts';
import { lockTicket } from '../ticket-state.ts';
import { refreshTraderSearchText } from './refresh-search-text.ts';
import { search } from './search.ts';
import { indexFirm, indexSearch } from './search-index.ts';

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});
afterEach(() => base[Symbol.asyncDispose]());

let created = 0;
const createWith = (...bodies: string[]) =>
  createTicket(base.services, {
    firm,
    trader,
    subject: 'x',
    createdAt: new Date(1_700_000_000_000 + created++),
    messages: bodies.map((body) => ({ body })),
  });
const index = () => indexFirm(base.services, firm.id);
const query = async (text: string, values: unknown[] = []) =>
  (await base.services.pool.query(text, values)).rows;
const countPending = async () =>
  (
    await query(
      `select (select count(*) from tickets where search_pending)::int as tickets,
        (select count(*) from ticket_messages where search_pending)::int as messages`,
    )
  )[0];

/** Returns the first tickets, oldest first, that have all words. */
function find(words: string[], { rows = 1_000, limits }: { rows?: number; limits?: SearchLimits } = {}) {
  const run = (plan: SearchPlan, end: (bind: Bind) => string) => {
    const values: unknown[] = [firm.id];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const where = ['t.workspace_id = $1', ...plan.candidates(bind)].join(' and ');
    const candidates = `select * from tickets t where ${where} order by created_at`;
    return query(`select t.id from (${candidates} ${end(bind)}`, values);
  };
  return search<string>(
    base.services,
    { workspaceId: firm.id, words, rows },
    {
      readPage: async (plan) => {
        const texts = (bind: Bind) => ['true', ...plan.texts(bind)].join(' and ');
        const found = await run(
          plan,
          (bind) => `limit ${plan.limit ?? 'all'}) t where ${texts(bind)} limit ${rows}`,
        );
        return found.map(({ id }) => id);
      },
      exceedsLimit: async (plan) => (await run(plan, () => `offset ${plan.limit}) t`)).length > 0,
    },
    limits,
  );
}

test('finds a text before, while and after it is indexed', async () => {
  const [one, two] = [await createWith('zebra crossing', 'later'), await createWith('zebras')];
  expect(await find(['zebra'])).toEqual([one, two]);
  await index();
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
  expect(await find(['zebra'])).toEqual([one, two]);
  expect(await find(['cross'])).toEqual([one]);
  // One word is in the postings, the other one in a pending text.
  const three = await createWith('zebra herd');
  await withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, two);
    await addMessage(ctx, ticket, { from: 'admin', authorId: null, author: 'A', body: 'crossed herd' });
  });
  expect(await find(['zebra', 'cross'])).toEqual([one, two]);
  expect(await find(['zebra', 'herd'])).toEqual([two, three]);
});

test('finds the new text of an indexed ticket and message, and not the old one', async () => {
  const id = await createWith('first');
  const reply = await withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, id);
    const message = { from: 'ai', authorId: null, author: 'AI', body: 'draft', streaming: true } as const;
    return (await addMessage(ctx, ticket, message)).message.id;
  });
  await index();
  await query(`update users set name = 'Ottilie' where id = $1`, [trader.id]);
  await withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, id);
    await finishReply(ctx, ticket, reply, { from: 'ai', author: 'AI', body: 'final' });
    await refreshTraderSearchText({ ...ctx, workspace: firm }, { trader: trader.id });
  });
  for (const round of ['pending', 'indexed']) {
    expect([round, await find(['final'])]).toEqual([round, [id]]);
    expect([round, await find(['ottilie'])]).toEqual([round, [id]]);
    expect([round, await find(['draft'])]).toEqual([round, []]);
    await index();
  }
});

test('leaves a text pending that a writer has locked or changes meanwhile, and does not wait', async () => {
  const id = await createWith('zebra');
  const writer = await base.services.pool.connect();
  await writer.query('begin');
  await writer.query(
    `update ticket_messages set search_text = 'lion', search_pending = true where ticket_id = $1`,
    [id],
  );
  await index();
  await writer.query('commit');
  writer.release();
  expect(await countPending()).toEqual({ tickets: 0, messages: 1 });
  expect([await find(['lion']), await find(['zebra'])]).toEqual([[id], []]);
  await index();
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
  expect([await find(['lion']), await find(['zebra'])]).toEqual([[id], []]);
});

test('lets one process at a time add to the postings of a firm', async () => {
  const id = await createWith('zebra');
  const other = await base.services.pool.connect();
  await other.query('begin');
  await other.query('insert into search_progress (workspace_id) values ($1) on conflict do nothing', [
    firm.id,
  ]);
  await other.query('commit; begin');
  await other.query('select from search_progress where workspace_id = $1 for update', [firm.id]);
  await index();
  expect(await countPending()).toEqual({ tickets: 1, messages: 1 });
  await other.query('commit');
  other.release();
  await Promise.all([index(), index(), index()]);
  await index();
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
  expect(await find(['zebra'])).toEqual([id]);
});

test('writers do not wait for each other when they add the same new word', async () => {
  const [one, two] = [await createWith('first'), await createWith('second')];
  const add = (id: string) =>
    query(
      `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, created_at, search_text)
       values ($1, $2, $3, 'trader', '', '', now(), 'novelty')`,
      [`tmsg_${id}`, id, firm.id],
    );
  const writer = await base.services.pool.connect();
  await writer.query('begin');
  await writer.query(
    `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, created_at, search_text)
     values ('tmsg_one', $1, $2, 'trader', '', '', now(), 'novelty')`,
    [one, firm.id],
  );
  await add(two);
  expect(await find(['novelty'])).toEqual([two]);
  await writer.query('commit');
  writer.release();
  expect(await find(['novelty'])).toEqual([one, two]);
});

test('indexes the firms that have enough pending texts', async () => {
  const other = await createWorkspace(base.services);
  await createTicket(base.services, {
    firm: other,
    trader: await createUser(base.services, { firm: other, role: 'trader' }),
  });
  const id = await createWith('zebra');
  await query(
    `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, created_at, search_text)
     select 'tmsg_' || n, $1, $2, 'trader', '', '', now(), 'word' || n from generate_series(1, 2500) as n`,
    [id, firm.id],
  );
  await indexSearch(base.services);
  expect(await countPending()).toEqual({ tickets: 1, messages: 0 });
  expect(await find(['word2500'])).toEqual([id]);
  expect(await query('select workspace_id, tickets from search_progress where tickets > 0')).toEqual([
    { workspace_id: firm.id, tickets: 1 },
  ]);
});

test('finds what a comparison of all texts finds, for any words, limits and state of the index', async () => {
  const vocabulary = [
    'payout',
    'pay',
    'limit',
    'spread',
    'расчёт',
    '税金',
    ...Array.from({ length: 30 }, (_, i) => `lot${i}`),
  ];
  const texts = new Map<string, string[]>();
  const conversations = fc.sample(
    fc.array(fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    }),
    { numRuns: 120, seed: 7 },
  );
  const { name, email } = (await query('select name, email from users where id = $1', [trader.id]))[0];
  for (const [i, messages] of conversations.entries()) {
    const bodies = messages.map((words) => words.join(' '));
    texts.set(await createWith(...bodies), ['x', name, email, ...bodies]);
    if (i === 80) await index();
  }
  const word = fc.oneof(
    fc.constantFrom(...vocabulary),
    fc.constantFrom('p', 'lot', 'lot1', 'o', 't2', '金', 'счет', 'absent', 'spread2'),
  );
  const limits: fc.Arbitrary<SearchLimits> = fc.record({
    words: fc.constantFrom(0, 1, 5, 1_000),
    postings: fc.constantFrom(0, 10, 1_000),
    share: fc.constantFrom(0, 0.2, 1),
    listed: fc.constantFrom(0, 5, 1_000),
    compared: fc.constantFrom(1, 10, 1_000),
  });
  const fold = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
      limits,
      fc.constantFrom(3, 1_000),
      async (words, limits, rows) => {
        const folded = words.map(fold);
        const expected = [...texts]
          .filter(([, all]) => folded.every((word) => all.some((text) => fold(text).includes(word))))
          .map(([id]) => id)
          .slice(0, rows);
        expect(await find(folded, { rows, limits })).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('folds texts of an earlier version again, also those that wait to be indexed', async () => {
  const ids = [await createWith('مُحَوِّل'), await createWith('can’t')];
  await index();
  // As an earlier version folded them, and as a gateway of that version writes while this one runs.
  await query(`update ticket_messages set search_text = body, search_pending = false`);
  const late = await createWith('٤٢٧٧١');
  await query(`update ticket_messages set search_text = body where ticket_id = $1`, [late]);
  await query('update search_progress set folding = 0');
  await indexSearch(base.services);
  expect(await find(['محول'])).toEqual([ids[0]]);
  expect(await find(["can't"])).toEqual([ids[1]]);
  expect(await find(['42771'])).toEqual([late]);
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
  // Nothing is read again.
  await query(`update ticket_messages set search_text = 'مُحَوِّل' where ticket_id = $1`, [ids[0]]);
  await indexSearch(base.services);
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
});

test('indexes a large import in statements that end in time', async () => {
  const tickets = await Promise.all([createWith('first'), createWith('second')]);
  // Each text has words of its own, which is the most work for the index.
  await query(
    `insert into ticket_messages (workspace_id, ticket_id, id, from_kind, author, body, created_at, search_text)
     select $1, ($2::text[])[1 + n % 2], 'tmsg_' || lpad(n::text, 26, '0'), 'trader', 'x', 'x', now(),
       (select string_agg(left(md5(n || '-' || k), 16), ' ') from generate_series(1, 4) k)
     from generate_series(1, 10000) n`,
    [firm.id, tickets],
  );
  const limited = await createServices({ databaseUrl: base.databaseUrl });
  try {
    limited.pool.on('acquire', (client) => void client.query('set statement_timeout = 2000'));
    const limit = await withTransaction(limited, (ctx) => run(ctx, 'show statement_timeout', []));
    expect(limit).toEqual([{ statement_timeout: '2s' }]);
    await indexSearch(limited);
  } finally {
    await closeServices(limited);
  }
  expect(await countPending()).toEqual({ tickets: 0, messages: 0 });
  const [{ word }] = await query(`select left(md5('9999-4'), 16) as word`);
  expect(await find([word])).toEqual([tickets[1]]);
});
