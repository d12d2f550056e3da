/**
 * A test token acts only on test data: no call of one changes a row outside of the sandbox or shows an id from there, although the
 * token's account owns live resources of every kind. The procedures and fields come from the declarations.
 */
import { appRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { createToken } from '@firmdesk/testing';
import { neededScopes, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf, put } from './examples.ts';
import { createFixtures, type FixtureKind, fixtureKinds, nonexistentLike } from './fixtures.ts';
import { inputSchemaOf, referencesOf } from './references.ts';
import { everyRow } from './rows.ts';
import { callsByTransport } from './transports.ts';

/** Kinds that a firm and its sandbox share: the firm's name, and accounts. */
const shared = new Set<FixtureKind>(['firm', 'user', 'ownerId', 'email', 'trader', 'traderEmail']);

const gateway = await suiteGateway();
const live = await createFixtures(gateway, { hasPassword: true });
const { owner, password } = live;
const mine = { ...(await createFixtures(gateway, { home: live.home, owner, isTest: true })), password };
const before = await everyRow(gateway, mine.home);
const liveIds = fixtureKinds
  .filter((kind) => !shared.has(kind))
  .map((kind) => live[kind].text)
  .filter((id) => id.length > 9);

async function testToken(spec: ProcedureSpec): Promise<string> {
  const input = { user: owner, workspace: live.home.slug, environment: 'test' } as const;
  return (await createToken(gateway.services, { ...input, scopes: neededScopes(spec) })).text;
}

describe.each(declaredProcedures(appRouter).filter(({ spec }) => spec.access.level !== 'public'))(
  '$name with a test token',
  ({ name, spec, meta }) => {
    const schema = inputSchemaOf(meta);
    const references = referencesOf(name, schema).filter(({ kind }) => !shared.has(kind));

    test('shows no live resource', async () => {
      for (const call of callsByTransport(gateway, name, spec)) {
        const { text } = await call({ token: await testToken(spec) }, exampleOf(name, schema, mine));
        expect(liveIds.filter((id) => text.includes(id))).toEqual([]);
      }
    });

    test.each(references)('$name: does not find a live resource', async (reference) => {
      for (const call of callsByTransport(gateway, name, spec)) {
        const [absent, found] = await Promise.all(
          [nonexistentLike(reference.kind, live[reference.kind]), live[reference.kind]].map(async (id) => {
            const input = exampleOf(name, schema, mine, reference);
            put(input, reference, id);
            const answer = await call({ token: await testToken(spec) }, input);
            // A small integer may be in a response by coincidence.
            return id.text.length > 9 ? { ...answer, text: answer.text.replaceAll(id.text, '…') } : answer;
          }),
        );
        expect(found).toEqual(absent);
      }
    });
  },
);

test('no other row has changed', async () => {
  const now = await everyRow(gateway, mine.home);
  for (const [table, rows] of before) {
    const missing = [...rows].filter((row) => !now.get(table)!.has(row));
    expect(missing, table).toEqual([]);
  }
});
