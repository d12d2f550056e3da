/**
 * The tenant wall: whatever an input can name, naming what belongs to somebody else is answered as naming what does not
 * exist: byte for byte but for the request id, after the same number of statements, without a trace in what is theirs.
 *
 * The procedures, and the fields that name things, are those that are declared; `references.ts` says what they name.
 */
import { appRouter, type ProcedureSpec } from '@firmdesk/domain';
import { declaredProcedures, suiteGateway } from '@firmdesk/gateway/testing';
import { describe, expect, test } from 'vitest';
import { countQueries } from './count-queries.ts';
import { exampleOf, put } from './examples.ts';
import {
  createFixtures,
  type FixtureId,
  type FixtureKind,
  type Fixtures,
  nonexistentLike,
  ownToken,
  staffToken,
} from './fixtures.ts';
import { inputSchemaOf, referencesOf } from './references.ts';
import { type Caller, callsByTransport, type Sent } from './transports.ts';

/** What is one administrator's, and not the next one's of the same firm. */
const personal = new Set<FixtureKind>([
  'calendar',
  'draft',
  'event',
  'invitation',
  'mailbox',
  'message',
  'notification',
  'token',
]);

const gateway = await suiteGateway();
const queries = countQueries(gateway.services);
const foreign = await createFixtures(gateway, { hasPassword: true });
const theirs = await everyRow();
const neighbour = await createFixtures(gateway);

describe.each(declaredProcedures(appRouter))('$name', ({ name, spec, meta }) => {
  const schema = inputSchemaOf(meta);
  const references = referencesOf(name, schema);
  const createOwnFixtures = () =>
    createFixtures(gateway, {
      home: neighbour.home,
      hasPassword: JSON.stringify(schema).includes('password'),
    });

  // Where there is a reference, a call of one's own is part of its test.
  if (references.length === 0) {
    test('takes the valid call that its schema describes', async () => {
      for (const call of callsByTransport(gateway, name, spec)) {
        const mine = await createOwnFixtures();
        const answer = await call(
          { token: await ownToken(gateway, spec, mine) },
          exampleOf(name, schema, mine),
        );
        expect(answer.ok, `examples.ts does not know what a field means: ${answer.text}`).toBe(true);
      }
    });
  }

  test.each(references)('$name: somebody else’s is answered as nobody’s', async (reference) => {
    const mine = await createOwnFixtures();
    const others = personal.has(reference.kind) ? [foreign, neighbour] : [foreign];
    const nothing = nonexistentLike(reference.kind, foreign[reference.kind]);
    const callers = await callersOf(spec, mine);
    const calls = callsByTransport(gateway, name, spec);
    const ask = (caller: Caller, call: (typeof calls)[number], thing: FixtureId) => {
      const input = exampleOf(name, schema, mine, reference);
      put(input, reference, thing);
      return asked(() => call(caller, input), thing);
    };
    for (const caller of callers) {
      for (const call of calls) {
        const first = await ask(caller, call, nothing);
        const absent = await ask(caller, call, nothing);
        expect(absent.sent, 'a second call').toEqual(first.sent);
        for (const other of others) {
          const alien = await ask(caller, call, other[reference.kind]);
          expect(alien.sent).toEqual(absent.sent);
          expect(alien.statements, 'statements').toBe(absent.statements);
        }
      }
    }
    // It was the name, and nothing else of the call, that this was the answer to.
    const absent = await ask(callers[0]!, calls[0]!, nothing);
    const own = await ask(callers[0]!, calls[0]!, mine[reference.kind]);
    expect(own.sent.ok, own.sent.text).toBe(true);
    expect(own.sent.text).not.toBe(absent.sent.text);
  });
});

test('nothing of theirs has changed', async () => {
  const now = await everyRow();
  for (const [table, rows] of theirs) {
    const missing = [...rows].filter((row) => !now.get(table)!.has(row));
    expect(missing, table).toEqual([]);
  }
});

/** Who may call: the owner, and the service's own staff, who may act in the other firm just as well. */
async function callersOf(spec: ProcedureSpec, mine: Fixtures): Promise<Caller[]> {
  const callers: Caller[] = [{ token: await ownToken(gateway, spec, mine) }];
  if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
    const token = await staffToken(gateway, spec, [mine.home, foreign.home]);
    callers.push({ token, workspace: mine.home.slug });
  }
  return callers;
}

/** An answer without what the caller said, and what it cost. */
async function asked(
  send: () => Promise<Sent>,
  { text }: FixtureId,
): Promise<{ sent: Sent; statements: number }> {
  const before = queries();
  const sent = await send();
  const statements = queries() - before;
  // A small integer stands in an answer for other reasons.
  return { sent: text.length > 9 ? { ...sent, text: sent.text.replaceAll(text, '…') } : sent, statements };
}

/** Every row of every table, as text. */
async function everyRow(): Promise<Map<string, Set<string>>> {
  const { pool } = gateway.services;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const all = new Map<string, Set<string>>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from "${name}" t`);
    all.set(name, new Set(rows.map(({ row }) => row)));
  }
  return all;
}
