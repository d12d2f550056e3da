import type pg from 'pg';
import { Query } from 'pg';
import { expect, inject, test } from 'vitest';
import { createClient } from './connection.ts';
import { type Done, ExtendedQuery, type Statement, type StatementResult } from './extended-query.ts';

/*
 * `ExtendedQuery` and `StatementBatch` use members of `pg` that are not documented. After an update of `pg` that fails a test of this
 * file, compare its `lib/query.js` and `lib/client.js` with them.
 */

test('a query of pg has the handlers that ours implement or never need', () => {
  const members = Object.getOwnPropertyNames(Query.prototype) as string[];
  expect(members.filter((name) => /^(handle|submit|requires|hasBeen|prepare)/.test(name)).sort()).toEqual([
    // A batch passes them on to the query that the message belongs to.
    'handleCommandComplete',
    // For `copy`, which is not run this way.
    'handleCopyData',
    'handleCopyInResponse',
    'handleDataRow',
    // For an empty text.
    'handleEmptyQuery',
    'handleError',
    // For a limit of rows per message, which ours do not set.
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
  await withClient(async (client) => {
    await client.query({ name: 'named', text: 'select 1' });
    const { connection } = client as unknown as { connection: object };
    expect(connection).toMatchObject({
      parsedStatements: { named: 'select 1' },
      submittedNamedStatements: expect.any(Object),
      sync: expect.any(Function),
      stream: { cork: expect.any(Function), uncork: expect.any(Function) },
    });
  });
});

async function withClient(run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = createClient(inject('postgresUrl'), { name: 'test' });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}

function execute(client: pg.Client, statement: Statement): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result!));
    client.query(new ExtendedQuery(statement, client, done));
  });
}

test('returns the command, and how many rows it changed or returned', () =>
  withClient(async (client) => {
    const tags = [];
    for (const text of [
      'create temporary table numbers (n integer)',
      'insert into numbers values (1), (2)',
      'update numbers set n = 3 where n = 2',
      'select n from numbers',
      'delete from numbers',
      'begin',
    ]) {
      const { command, rowCount } = await execute(client, { text });
      tags.push([command, rowCount]);
    }
    expect(tags).toEqual([
      ['CREATE', null],
      ['INSERT', 2],
      ['UPDATE', 1],
      ['SELECT', 2],
      ['DELETE', 2],
      ['BEGIN', null],
    ]);
  }));

test('returns rows as objects or arrays, with values as the client parses them', () =>
  withClient(async (client) => {
    const text = `select $1::integer as n, null::integer as nothing, $2::text as text, $3::jsonb as list`;
    const values = [1, 'é', JSON.stringify([2])];
    for (const name of [undefined, 'values', 'values']) {
      const { rows } = await execute(client, { name, text, values });
      expect(rows).toEqual([{ n: 1, nothing: null, text: 'é', list: [2] }]);
    }
    for (const name of [undefined, 'arrays', 'arrays']) {
      const { rows } = await execute(client, { name, text, values, rowMode: 'array' });
      expect(rows).toEqual([[1, null, 'é', [2]]]);
    }
  }));

test('rejects a value that cannot be parsed, and the connection works on', () =>
  withClient(async (client) => {
    const text = 'select $1::integer as n';
    client.setTypeParser(23, () => {
      throw new Error('unreadable');
    });
    await expect(execute(client, { text, values: [1] })).rejects.toThrow('unreadable');
    expect((await execute(client, { text: `select 'x' as text` })).rows).toEqual([{ text: 'x' }]);
  }));

test('rejects a name that another statement has', () =>
  withClient(async (client) => {
    await execute(client, { name: 'same', text: 'select 1 as n' });
    await expect(execute(client, { name: 'same', text: 'select 2 as n' })).rejects.toThrow('the name same');
    expect((await execute(client, { name: 'same', text: 'select 1 as n' })).rows).toEqual([{ n: 1 }]);
  }));
