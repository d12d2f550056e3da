import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../access/identity.ts';
import { DAY_MS } from '../platform/clock.ts';
import { pruneAll } from '../platform/retention.ts';
import { createUser, createWorkspace, type TestUser } from '../testing/accounts.ts';
import { openTestServices, type TestServices } from '../testing/services.ts';
import { MAX_MESSAGE_WORDS } from './search-text.ts';
import { wordRetention } from './search-word-retention.ts';
import { createTicket } from './testing.ts';

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});
afterEach(() => base[Symbol.asyncDispose]());

const createWith = (body: string) =>
  createTicket(base.services, { firm, trader, subject: 'x', messages: [{ body }] });
const deleteMessages = (ticket: string) =>
  base.services.pool.query('delete from ticket_messages where ticket_id = $1', [ticket]);
const prune = () => pruneAll(base.services, [wordRetention]);
/** Returns the dictionary's rows of the words, and whether each is marked as unused. */
async function statesOf(...words: string[]): Promise<Record<string, string>> {
  const { rows } = await base.services.pool.query<{ word: string; marked: boolean }>(
    'select word, unused_since is not null as marked from search_words where word = any($1) order by 1, 2',
    [words],
  );
  const states = Map.groupBy(rows, ({ word }) => word);
  return Object.fromEntries(
    [...states].map(([word, of]) => [word, of.map(({ marked }) => (marked ? 'unused' : 'used')).join(' ')]),
  );
}

test('deletes a word a day after its last text is deleted, and no other word', async () => {
  const deleted = await createWith('zebra and common');
  await createWith('common alone');
  await deleteMessages(deleted);
  await prune();
  expect(await statesOf('zebra', 'common', 'alone')).toEqual({
    zebra: 'unused',
    common: 'used',
    alone: 'used',
  });
  base.clock.advance(DAY_MS + 1);
  await prune();
  expect(await statesOf('zebra', 'common', 'alone')).toEqual({ common: 'used', alone: 'used' });
});

test('keeps a word whose text was being written when it was marked', async () => {
  const deleted = await createWith('zebra');
  const ticket = await createWith('other');
  await deleteMessages(deleted);
  const client = await base.services.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, created_at, search_text)
    values ('tmsg_late', $1, $2, 'trader', '', 'zebra', now(), 'zebra')`,
    [ticket, firm.id],
  );
  await prune();
  expect(await statesOf('zebra')).toEqual({ zebra: 'unused' });
  await client.query('commit');
  client.release();
  base.clock.advance(DAY_MS + 1);
  await prune();
  expect(await statesOf('zebra')).toEqual({ zebra: 'used' });
});

test('deletes only the marked row if a later text has added the word again', async () => {
  await deleteMessages(await createWith('zebra'));
  await prune();
  await createWith('zebra');
  expect(await statesOf('zebra')).toEqual({ zebra: 'used unused' });
  base.clock.advance(DAY_MS + 1);
  await prune();
  expect(await statesOf('zebra')).toEqual({ zebra: 'used' });
});

test('checks words by the indexes', async () => {
  const ticket = await createWith('first');
  await base.services.pool.query(
    `insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, created_at, search_text)
    select 'tmsg_' || n, $1, $2, 'trader', '', '', now(), 'filler word' || n || ' common' from generate_series(1, 5000) as n`,
    [ticket, firm.id],
  );
  await base.services.pool.query('analyze tickets, ticket_messages, search_words');
  const plans: string[] = [];
  const pool = Object.assign(Object.create(base.services.pool), {
    async query(text: string, values?: unknown[]) {
      if (!/^\s*with (part|due)/.test(text)) return base.services.pool.query(text, values);
      const { rows } = await base.services.pool.query(`explain (format json) ${text}`, values);
      plans.push(JSON.stringify(rows));
      return { rows: [{ count: 0 }] };
    },
  });
  await pruneAll({ ...base.services, pool }, [wordRetention]);
  expect(plans.length).toBeGreaterThan(1);
  for (const plan of plans) {
    expect(plan).not.toMatch(/"Seq Scan"[^{}]*"ticket_messages"/);
    expect(plan).toContain('ticket_messages_search');
  }
});

test('indexes a limited number of words per message', async () => {
  const words = Array.from({ length: MAX_MESSAGE_WORDS + 500 }, (_, n) => `w${n}`);
  await createWith(`${words.join(' ')} w1 w2`);
  const { rows } = await base.services.pool.query(
    `select count(*)::int as words from search_words where word like 'w%'`,
  );
  expect(rows).toEqual([{ words: MAX_MESSAGE_WORDS }]);
});
