import type { ListTicketsInput } from '@firmdesk/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../access/identity.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { createUser, createWorkspace } from '../testing/accounts.ts';
import { openTestServices, type TestServices } from '../testing/services.ts';
import { listTickets } from './list-tickets.ts';
import { createTicket } from './testing.ts';

/** More words than a search looks up by their keys. */
const TICKETS = 600;

let base: TestServices;
let firm: WorkspaceRef;
/** The folded text of each ticket, with its messages. */
const textOf = new Map<string, string>();

beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  const trader = await createUser(base.services, { firm, role: 'trader' });
  for (let i = 0; i < TICKETS; i++) {
    const body = `reference${i} order${i % 90} ${i % 3 === 0 ? 'refund' : 'withdrawal'} lot${i}lot`;
    await createTicket(base.services, {
      firm,
      trader,
      createdAt: new Date(1_700_000_000_000 + i),
      messages: [{ body }],
    });
  }
  // Concurrent writers of the same new words leave each word two or three times, in adjacent rows.
  await base.services.pool.query(
    `with words as (delete from search_words where workspace_id = $1 returning *)
     insert into search_words (workspace_id, key, word)
     select workspace_id, key, word from words, generate_series(0, 1 + (key % 2 = 0)::int) order by key`,
    [firm.id],
  );
  const { rows } = await base.services.pool.query<{ id: string; text: string }>(
    `select id, concat_ws(' ', search_text, (
       select string_agg(search_text, ' ') from ticket_messages where ticket_id = t.id)) as text
     from tickets t where workspace_id = $1 order by created_at`,
    [firm.id],
  );
  for (const { id, text } of rows) textOf.set(id, text);
  await base.services.pool.query('analyze tickets, ticket_messages, search_words');
});
afterAll(() => base[Symbol.asyncDispose]());

/** Returns all tickets that a search finds, reading all pages. */
async function found(q: string): Promise<string[]> {
  const ctx = { services: base.services, workspace: firm, identity: { user: { id: 'usr_nobody' } } };
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const input: ListTicketsInput = {
      status: 'all',
      assignee: 'anyone',
      team: 'any',
      priority: 'all',
      tag: 'all',
      sort: 'created_at',
      limit: 100,
      q,
      ...(cursor && { starting_after: cursor }),
    };
    const { data, meta } = await listTickets(ctx as AccountContext, input);
    ids.push(...data.map(({ id }) => id));
    if (!meta.next_cursor) return ids;
    cursor = meta.next_cursor;
  }
}

const expected = (words: string[]) =>
  [...textOf].filter(([, text]) => words.every((word) => text.includes(word))).map(([id]) => id);

test('finds every ticket if the dictionary has duplicate words', async () => {
  for (const q of ['reference', 'lot', 'reference refund', 'order'])
    expect(await found(q), q).toEqual(expected(q.split(' ')));
});

test('finds what a scan of all texts finds, for any words', async () => {
  const whole = fc.constantFrom(...new Set([...textOf.values()].flatMap((text) => text.split(' '))));
  const part = fc
    .tuple(whole, fc.nat(8), fc.integer({ min: 1, max: 9 }))
    .map(([word, start, length]) => word.slice(start, start + length))
    .filter((word) => word !== '' && !word.startsWith('#'));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(whole, part), { minLength: 1, maxLength: 3 }), async (words) => {
      expect(await found(words.join(' '))).toEqual(expected(words));
    }),
    { numRuns: 60 },
  );
});
