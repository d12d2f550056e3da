/**
 * Rights follow the membership, at every procedure and by every way to call it: an account that was dismissed from its firm
 * changes nothing there, and is told nothing of what is there, with a token that still lives.
 */
import { PLATFORM } from '@firmdesk/contract';
import { appRouter, type ProcedureSpec } from '@firmdesk/domain';
import { createStaff, createToken } from '@firmdesk/domain/testing';
import { declaredProcedures, neededScopes, suiteGateway } from '@firmdesk/gateway/testing';
import { describe, expect, test } from 'vitest';
import { exampleOf } from './examples.ts';
import { createFixtures, type FixtureKind, type Fixtures, ownToken } from './fixtures.ts';
import { inputSchemaOf } from './references.ts';
import { callsByTransport } from './transports.ts';

/** Tables of what is the account's own, or of the service: its sessions, its phones, its answers. */
const OWN_TABLES = new Set([
  'devices',
  'idempotency_keys',
  'notification_mutes',
  'push_outbox',
  'tokens',
  'users',
]);

/** What is in the firm. The answer to a call may name the account, its session and the firm's name. */
const inside: readonly FixtureKind[] = [
  'user',
  'trader',
  'traderEmail',
  'mailboxEmail',
  'message',
  'draft',
  'ticket',
  'ticketMessage',
  'preRegistration',
  'preRegistrationEmail',
  'notification',
];

const gateway = await suiteGateway();
const { pool } = gateway.services;

const procedures = declaredProcedures(appRouter).filter(({ spec }) => spec.access.level !== 'public');
/** Whether a dismissed account is refused by the guard, before anything is looked up. */
const isGuarded = ({ access, errors }: ProcedureSpec) =>
  access.level !== 'public' && errors.includes('admin_access_required');

describe.each(procedures.filter(({ spec }) => spec.kind !== 'subscription'))(
  '$name',
  ({ name, spec, meta }) => {
    const schema = inputSchemaOf(meta);
    const createOwnFixtures = () =>
      createFixtures(gateway, { hasPassword: JSON.stringify(schema).includes('password') });

    test.each([
      ['inactive', 'update memberships set active = false where user_id = $1'],
      ['deleted', 'delete from memberships where user_id = $1'],
    ])('does nothing for an account whose membership is %s', async (_, dismiss) => {
      const mine = await createOwnFixtures();
      const token = await ownToken(gateway, spec, mine);
      await pool.query(dismiss, [mine.owner.id]);
      const before = await rowsOf();
      for (const call of callsByTransport(gateway, name, spec)) {
        const { status, text } = await call({ token }, exampleOf(name, schema, mine));
        if (isGuarded(spec))
          expect([status, text]).toEqual([403, expect.stringContaining('"admin_access_required"')]);
        expect(namedIn(text, mine)).toEqual([]);
      }
      expect(await changedSince(before)).toEqual([]);
    });

    if (spec.access.level !== 'account' || isGuarded(spec)) {
      test('does nothing for somebody who left the staff', async () => {
        const mine = await createOwnFixtures();
        const staff = await createStaff(gateway.services, [mine.home]);
        const scopes = neededScopes(spec);
        const { text: token } = await createToken(gateway.services, {
          user: staff,
          workspace: PLATFORM,
          scopes,
        });
        await pool.query('update users set is_staff = false where id = $1', [staff.id]);
        const before = await rowsOf();
        for (const call of callsByTransport(gateway, name, spec)) {
          const caller = { token, workspace: mine.home.slug };
          const { status, text } = await call(caller, exampleOf(name, schema, mine));
          expect([status, text]).toEqual([403, expect.stringContaining('"admin_access_required"')]);
        }
        expect(await changedSince(before)).toEqual([]);
      });
    }

    test('is refused to a deleted account: 401 revoked_token', async () => {
      const mine = await createOwnFixtures();
      const token = await ownToken(gateway, spec, mine);
      await pool.query('update users set deleted_at = now() where id = $1', [mine.owner.id]);
      for (const call of callsByTransport(gateway, name, spec)) {
        const { status, text } = await call({ token }, exampleOf(name, schema, mine));
        expect([status, text]).toEqual([401, expect.stringContaining('"revoked_token"')]);
      }
    });
  },
);

function namedIn(text: string, mine: Fixtures): FixtureKind[] {
  return inside.filter((kind) => text.includes(mine[kind].text));
}

type Rows = Map<string, Set<string>>;

/** Every row of what firms have, as text. */
async function rowsOf(): Promise<Rows> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const all: Rows = new Map();
  for (const { name } of tables.filter(({ name }) => !OWN_TABLES.has(name))) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    all.set(name, new Set(rows.map(({ row }) => row)));
  }
  return all;
}

/** The tables in which a row has come, gone or changed. */
async function changedSince(before: Rows): Promise<string[]> {
  const now = await rowsOf();
  const isSame = (rows: Set<string>, were: Set<string>) =>
    rows.size === were.size && [...rows].every((row) => were.has(row));
  return [...now].filter(([name, rows]) => !isSame(rows, before.get(name)!)).map(([name]) => name);
}
