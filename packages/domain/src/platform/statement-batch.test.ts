import { Query } from 'pg';
import { expect, inject, test } from 'vitest';
import { createClient } from './connection.ts';

/*
 * `StatementBatch` uses members of `pg` that are not documented. After an update of `pg` that fails a test of this file, compare its
 * `lib/query.js` and `lib/client.js` with `statement-batch.ts`.
 */

test('a query of pg has the handlers that a batch implements or never needs', () => {
  const members = Object.getOwnPropertyNames(Query.prototype) as string[];
  expect(members.filter((name) => /^(handle|submit|requires|hasBeen|prepare)/.test(name)).sort()).toEqual([
    // What a batch passes on to the query that the message belongs to.
    'handleCommandComplete',
    // For `copy`, which no batch contains.
    'handleCopyData',
    'handleCopyInResponse',
    'handleDataRow',
    // For an empty text, which no batch contains.
    'handleEmptyQuery',
    'handleError',
    // For a limit of rows per message, which no batch sets.
    'handlePortalSuspended',
    'handleReadyForQuery',
    'handleRowDescription',
    'hasBeenParsed',
    'prepare',
    'requiresPreparation',
    'submit',
  ]);
});

test('a connection of pg records the named statements that it has sent', async () => {
  const client = createClient(inject('postgresUrl'), { name: 'test' });
  await client.connect();
  try {
    await client.query({ name: 'named', text: 'select 1' });
    const { connection } = client as unknown as { connection: object };
    expect(connection).toMatchObject({
      parsedStatements: { named: 'select 1' },
      submittedNamedStatements: expect.any(Object),
      sync: expect.any(Function),
      stream: { cork: expect.any(Function), uncork: expect.any(Function) },
    });
  } finally {
    await client.end();
  }
});

test('a query with values or with `queryMode` uses the extended protocol', () => {
  const usesIt = (config: object) =>
    (new Query(config as never) as unknown as { requiresPreparation(): boolean }).requiresPreparation();
  expect(usesIt({ text: 'begin', queryMode: 'extended' })).toBe(true);
  expect(usesIt({ text: 'select $1', values: [1] })).toBe(true);
});
