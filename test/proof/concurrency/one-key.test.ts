/**
 * Concurrent equal calls with one key over two nodes have one effect and one response. Covers every procedure that takes an
 * `Idempotency-Key`: 200 calls to each REST endpoint, and 20 to each procedure that only RPC has.
 */
import { randomUUID } from 'node:crypto';
import { appRouter, declaredProcedures } from '@firmdesk/domain';
import { suiteGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf, type Input, needAnotherDevice } from '../examples.ts';
import { createFixtures, ownToken } from '../fixtures.ts';
import { inputSchemaOf } from '../references.ts';

const gateway = await suiteGateway();
const otherNode = await gateway.secondNode();

const idempotent = declaredProcedures(appRouter).filter(
  ({ name, spec }) => spec.idempotent && !needAnotherDevice.has(name),
);

describe.each(idempotent)('$name', ({ name, spec, meta }) => {
  const schema = inputSchemaOf(meta);
  const hasPassword = JSON.stringify(schema).includes('password');

  async function prepare() {
    const mine = await createFixtures(gateway, { hasPassword });
    const options = { token: await ownToken(gateway, spec, mine), key: randomUUID() };
    return { options, input: exampleOf(name, schema, mine) };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;
  type Node = Pick<TestGateway, 'request' | 'rpc'>;

  function callOnce(node: Node, { options, input }: Prepared) {
    if (!spec.rest) return node.rpc(name, { ...options, body: input });
    const { path, body } = atPath(spec.rest.path, input);
    return node.request(`${spec.rest.method} ${path}`, { ...options, body });
  }

  /** Retries as a client does while the first call is running or the service is busy. */
  async function call(node: Node, prepared: Prepared) {
    for (;;) {
      const answer = await callOnce(node, prepared);
      if (!answer.headers.has('retry-after')) return answer;
    }
  }

  test('concurrent calls with one key have one effect', { timeout: 300_000 }, async () => {
    const single = await prepare();
    const rowsOfOneCall = await newRowsOf(async () => void (await call(gateway, single)));
    const concurrent = await prepare();
    const answers: Awaited<ReturnType<typeof call>>[] = [];
    const newRows = await newRowsOf(async () => {
      const calls = Array.from({ length: spec.rest ? 200 : 20 }, (_, i) =>
        call(i % 2 ? otherNode : gateway, concurrent),
      );
      answers.push(...(await Promise.all(calls)));
    });
    expect(answers[0]!.status, answers[0]!.text).toBeLessThan(300);
    expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toHaveLength(1);
    const first = answers.filter(({ headers }) => !headers.has('idempotent-replayed'));
    expect(first.length, 'calls that were executed').toBe(1);
    expect(newRows).toEqual(rowsOfOneCall);
  });
});

function atPath(template: string, input: Input): { path: string; body: Input } {
  const body = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, field) => {
    delete body[field];
    return String(input[field]);
  });
  return { path, body };
}

/** Returns the number of new rows in each table. */
async function newRowsOf(act: () => Promise<void>): Promise<Record<string, number>> {
  const before = await countRows();
  await act();
  const after = await countRows();
  const grown = Object.entries(after).map(([table, count]): [string, number] => [
    table,
    count - before[table]!,
  ]);
  return Object.fromEntries(grown.filter(([, by]) => by !== 0));
}

async function countRows(): Promise<Record<string, number>> {
  const { pool } = gateway.services;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public'`,
  );
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name}) as "${name}"`);
  const { rows } = await pool.query<Record<string, number>>(`select ${counts.join(', ')}`);
  return rows[0]!;
}
