import { foldSearchText, type ListTicketsInput, type TicketPage } from '@firmdesk/contract';
import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { distinctWords } from '../../platform/search/search-text.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { toApiError } from '../../procedures/to-api-error.ts';
import { listTickets } from '../list/list-tickets.ts';
import { indexFirm } from './search-index.ts';

type Firm = Awaited<ReturnType<typeof createWorkspace>>;

let base: TestServices;
let firm: Firm;
/** All texts of each ticket. */
const textsOf = new Map<string, string[]>();

const common = ['payout', 'limit', 'account', 'broker', 'spread', 'pay'];
const middling = Array.from({ length: 40 }, (_, i) => `word${i}`);
const rare = Array.from({ length: 400 }, (_, i) => `rarity${i}x`);

beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  const trader = await createUser(base.services, { firm, role: 'trader' });
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
    const id = await createTicket(base.services, {
      firm,
      trader,
      subject,
      createdAt: new Date(1_700_000_000_000 + i),
      messages: bodies.map((body) => ({ body })),
    });
    textsOf.set(id, [subject, 'Ann', 'hh', ...bodies]);
    // The last tickets stay pending.
    if (i === 450) await indexFirm(base.services, firm.id);
  }
  await base.services.pool.query('analyze tickets, ticket_messages, search_words');
});
afterAll(() => base[Symbol.asyncDispose]());

function listPage(over: Partial<ListTicketsInput>): Promise<TicketPage> {
  const ctx = {
    ...newContext(base.services),
    workspace: firm,
    identity: { user: { id: 'usr_unknown' } },
  };
  const input: ListTicketsInput = {
    status: 'all',
    assignee: 'anyone',
    team: 'any',
    priority: 'all',
    tag: 'all',
    snoozed: 'all',
    sort: 'created_at',
    limit: 100,
    ...over,
  };
  return listTickets(ctx as AccountContext, input);
}

const found = async (q: string) => (await listPage({ q })).data.map(({ id }) => id);

/** Search rule 2 of contract §4.7, by a scan of all texts. */
function expected(q: string): string[] {
  const words = distinctWords(foldSearchText(q));
  return [...textsOf]
    .filter(([, texts]) => words.every((word) => texts.some((text) => foldSearchText(text).includes(word))))
    .map(([id]) => id)
    .slice(0, 100);
}

/** Returns two rare words that some ticket contains. */
function rareWords(): [string, string] {
  const texts = [...textsOf.values()].flat().join(' ');
  const [one, other] = rare.filter((word) => texts.includes(word));
  return [one!, other!];
}

test('finds whole words and parts of words, common and rare, as a scan of all texts does', async () => {
  const word = fc.oneof(
    fc.constantFrom(...common, ...middling, ...rare),
    fc.constantFrom('ay', 'a', 'pa', 'rarity', 'word1', '7', 'x', 'hello', 'ann', 'unicorn', 'out', 'ty12'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
      expect(await found(words.join(' '))).toEqual(expected(words.join(' ')));
    }),
    { numRuns: 150 },
  );
});

test('ends a search that takes too long with unavailable, and does not delay lists without a search', async () => {
  const blocker = await base.services.pool.connect();
  try {
    await blocker.query('begin; lock table ticket_messages in access exclusive mode');
    const [word] = rareWords();
    const searches = Array.from({ length: 6 }, () => found(word));
    const { data } = await listPage({});
    expect(data).toHaveLength(100);
    for (const result of await Promise.allSettled(searches)) {
      const { reason } = result as PromiseRejectedResult;
      expect(toApiError(reason).apiCode).toBe('unavailable');
    }
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  const [word] = rareWords();
  expect(await found(word)).toEqual(expected(word));
});
