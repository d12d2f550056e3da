import type { ListTicketsInput } from '@firmdesk/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { AccountContext } from '../kernel/context.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { mintFirm, mintUser } from '../testing/mint.ts';
import { openTestServices, type TestServices } from '../testing/services.ts';
import { fold, wordsOf } from './fold.ts';
import { listTickets } from './list-tickets.ts';
import { inSearchLane, planSearch, SEARCH_TIMEOUT_MS } from './search.ts';
import { mintTicket } from './testing.ts';

type Firm = Awaited<ReturnType<typeof mintFirm>>;

let base: TestServices;
let firm: Firm;
/** What each ticket says, all of it. */
const said = new Map<string, string[]>();

const common = ['payout', 'limit', 'account', 'broker', 'spread', 'pay'];
const middling = Array.from({ length: 40 }, (_, i) => `word${i}`);
const rare = Array.from({ length: 400 }, (_, i) => `term${i}x`);

beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await mintFirm(base.services);
  const trader = await mintUser(base.services, { firm, role: 'trader' });
  await withTransaction(base.services, ({ em }) =>
    em.getConnection().execute('update users set name = ?, email = ? where id = ?', ['Ann', 'hh', trader.id]),
  );
  const words = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...common) },
      { weight: 4, arbitrary: fc.constantFrom(...middling) },
      { weight: 1, arbitrary: fc.constantFrom(...rare) },
    ),
    { minLength: 2, maxLength: 9 },
  );
  const conversations = fc.sample(fc.array(words, { minLength: 1, maxLength: 3 }), {
    numRuns: 500,
    seed: 42,
  });
  for (const [i, messages] of conversations.entries()) {
    const bodies = messages.map((words) => words.join(' '));
    const subject = i % 5 === 0 ? `about ${rare[i % rare.length]}` : 'hello';
    const id = await mintTicket(base.services, {
      firm,
      trader,
      subject,
      createdAt: new Date(1_700_000_000_000 + i),
      messages: bodies.map((body) => ({ body })),
    });
    said.set(id, [subject, 'Ann', 'hh', ...bodies]);
  }
  await base.services.pool.query('analyze tickets, ticket_messages, search_words');
});
afterAll(() => base[Symbol.asyncDispose]());

async function found(q: string): Promise<string[]> {
  const ctx = { services: base.services, workspace: firm, identity: { user: { id: 'usr_nobody' } } };
  const input: ListTicketsInput = {
    status: 'all',
    assignee: 'anyone',
    team: 'any',
    priority: 'all',
    tag: 'all',
    sort: 'created_at',
    limit: 100,
    q,
  };
  return (await listTickets(ctx as AccountContext, input)).data.map(({ id }) => id);
}

/** Rule 2 as it reads. */
function expected(q: string): string[] {
  const words = wordsOf(fold(q));
  return [...said]
    .filter(([, texts]) => words.every((word) => texts.some((text) => fold(text).includes(word))))
    .map(([id]) => id)
    .slice(0, 100);
}

async function wayOf(
  words: string[],
  limit = 21,
): Promise<'fetches' | 'looks' | 'fetches and looks' | 'nothing'> {
  const plan = await inSearchLane(base.services, (client) =>
    planSearch(base.services, client, { workspaceId: firm.id, words, limit }, () => '$1'),
  );
  if (!plan) return 'nothing';
  if (!plan.hits) return 'looks';
  return plan.conditions.length > 0 ? 'fetches and looks' : 'fetches';
}

test('every way finds what is there: whole words, parts of words, common and rare ones together', async () => {
  const word = fc.oneof(
    fc.constantFrom(...common, ...middling, ...rare),
    fc.constantFrom('ay', 'a', 'pa', 'term', 'word1', '7', 'x', 'hello', 'ann', 'unicorn', 'out', 'rm12'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
      expect(await found(words.join(' '))).toEqual(expected(words.join(' ')));
    }),
    { numRuns: 150 },
  );
});

describe('the way follows the words', () => {
  test('rare ones are fetched, common ones looked for, and beside a rare one the common are looked for', async () => {
    expect(await wayOf(['term7x'])).toBe('fetches');
    expect(await wayOf(['term7x', 'term9x'])).toBe('fetches');
    expect(await wayOf(['payout', 'limit'])).toBe('looks');
    expect(await wayOf(['term7x', 'payout'])).toBe('fetches and looks');
    expect(await wayOf(['payout', 'unicorn'])).toBe('nothing');
  });
});

test('a search that takes too long is cut off: unavailable, and its connection goes on', async () => {
  await expect(
    inSearchLane(base.services, async (client) => {
      await client.query('set local statement_timeout = 20');
      await client.query('select pg_sleep(10)');
    }),
  ).rejects.toMatchObject({ apiCode: 'unavailable', retryAfterSeconds: 5 });
  const timeout = await inSearchLane(base.services, async (client) => {
    const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout');
    return rows[0]!.statement_timeout;
  });
  expect(timeout).toBe(`${SEARCH_TIMEOUT_MS / 1000}s`);
  const { rows } = await base.services.pool.query<{ statement_timeout: string }>('show statement_timeout');
  expect(rows[0]!.statement_timeout).toBe('15s');
});
