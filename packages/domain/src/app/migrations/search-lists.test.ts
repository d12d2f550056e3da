import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { runMigrations } from '../../platform/run-migrations.ts';
import { createDatabase } from '../../testing/index.ts';
import { wordKey } from '../../tickets/add-postings.ts';
import { readPostings } from '../../tickets/search-dictionary.ts';
import { decodePostings, encodePostings } from '../../tickets/search-postings.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

const WITH_TAILS = migrations.findIndex(({ name }) => name === '0031-search-lists');

test('keeps the postings of every word when its latest ones leave the dictionary', async () => {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  const services = await createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
  try {
    await runMigrations(services, migrations.slice(0, WITH_TAILS));
    const hex = (numbers: number[]) => `\\x${encodePostings(numbers).toString('hex')}`;
    await services.pool.query(`
      insert into workspaces (id, slug, name, created_at) values (77, 'northgate', 'Northgate', now());
      insert into search_progress (workspace_id, tickets) values (77, 9);
      insert into search_words (workspace_id, key, word, postings, tail, segments) values
        (77, ${wordKey('zebra')}, 'zebra', 4, '${hex([5, 8])}', 1),
        (77, ${wordKey('lion')}, 'lion', 1, '${hex([3])}', 0),
        (77, ${wordKey('tiger')}, 'tiger', 1, '', 1);
      insert into search_postings (workspace_id, key, segment, tickets) values
        (77, ${wordKey('zebra')}, 0, '${hex([1, 2])}'), (77, ${wordKey('tiger')}, 0, '${hex([7])}');
    `);
    await runMigrations(services, migrations);
    const found = await readPostings(services, 77, ['zebra', 'lion', 'tiger'], null);
    expect(found.map(({ postings }) => decodePostings(postings!))).toEqual([[1, 2, 5, 8], [3], [7]]);
  } finally {
    await closeServices(services);
  }
});
