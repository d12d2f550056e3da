import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { pruneAll } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { indexFirm } from './search-index.ts';
import { MAX_MESSAGE_WORDS } from './search-text.ts';
import { ticketWordRetention } from './ticket-index.ts';

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});
afterEach(() => base[Symbol.asyncDispose]());

const createWith = async (body: string) => {
  const id = await createTicket(base.services, { firm, trader, subject: 'x', messages: [{ body }] });
  await index();
  return id;
};
const index = () => indexFirm(base.services, firm.id);
const deleteMessages = (ticket: string) =>
  base.services.pool.query('delete from ticket_messages where ticket_id = $1', [ticket]);
const prune = () => pruneAll(base.services, [ticketWordRetention]);
/** Returns the words that are in the dictionary, and whether each is marked as unused. */
async function statesOf(...words: string[]): Promise<Record<string, string>> {
  const { rows } = await base.services.pool.query<{ word: string; marked: boolean }>(
    'select word, unused_since is not null as marked from search_words where word = any($1) order by 1, 2',
    [words],
  );
  return Object.fromEntries(rows.map(({ word, marked }) => [word, marked ? 'unused' : 'used']));
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

test('keeps a marked word that a later text contains', async () => {
  await deleteMessages(await createWith('zebra lion'));
  await prune();
  expect(await statesOf('zebra', 'lion')).toEqual({ zebra: 'unused', lion: 'unused' });
  await createWith('zebra');
  expect(await statesOf('zebra')).toEqual({ zebra: 'used' });
  base.clock.advance(DAY_MS + 1);
  await prune();
  expect(await statesOf('zebra', 'lion')).toEqual({ zebra: 'used' });
});

test('keeps a word that was marked although a text contains it', async () => {
  await createWith('zebra');
  await base.services.pool.query('update search_words set unused_since = $1', [base.clock.now()]);
  base.clock.advance(DAY_MS + 1);
  await prune();
  expect(await statesOf('zebra')).toEqual({ zebra: 'used' });
});

test('indexes a limited number of words per message', async () => {
  const words = Array.from({ length: MAX_MESSAGE_WORDS + 500 }, (_, n) => `w${n}`);
  await createWith(`${words.join(' ')} w1 w2`);
  const { rows } = await base.services.pool.query(
    `select count(*)::int as words from search_words where word like 'w%'`,
  );
  expect(rows).toEqual([{ words: MAX_MESSAGE_WORDS }]);
});
