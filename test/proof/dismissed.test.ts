/**
 * Access ends with the membership, in every procedure and over every transport: an account that was dismissed from its firm
 * changes and reads nothing there with a token that is still live.
 */
import { PLATFORM } from '@firmdesk/contract';
import { appRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { createStaff, createToken } from '@firmdesk/testing';
import { neededScopes, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf } from './examples.ts';
import { createFixtures, type FixtureKind, type Fixtures, ownToken } from './fixtures.ts';
import { inputSchemaOf } from './references.ts';
import { callsByTransport } from './transports.ts';

/** Tables whose rows belong to the account and not to the firm. A refused password of the account is in the audit trail, a second later. */
const OWN_TABLES = new Set([
  'audit_events',
  'devices',
  'idempotency_keys',
  'notification_mutes',
  'passkeys',
  'push_outbox',
  'recovery_codes',
  'second_factors',
  'sign_in_challenges',
  'tokens',
  'users',
]);

/** The kinds that belong to the firm. A response may still contain the account, its session and the firm. */
const kindsOfFirm: readonly FixtureKind[] = [
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
const { rows: tables } = await pool.query<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'public'`,
);
const readAll = tables
  .filter(({ name }) => !OWN_TABLES.has(name))
  .map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t`,
  )
  .join(' union all ');

/** Each account belonged to a firm with records of every kind. No call below may change these, so all procedures share them. */
async function createFormer(end: string): Promise<Fixtures> {
  const mine = await createFixtures(gateway, { hasPassword: true });
  await pool.query(end, [mine.owner.id]);
  return mine;
}
const inactive = await createFormer('update memberships set active = false where user_id = $1');
const removed = await createFormer('delete from memberships where user_id = $1');
const deleted = await createFormer('update users set deleted_at = now() where id = $1');
const formerStaff = await createStaff(gateway.services, [inactive.home]);
await pool.query('update users set is_staff = false where id = $1', [formerStaff.id]);

/** Without those of the service's own staff, who are members of no firm. */
const procedures = declaredProcedures(appRouter).filter(
  ({ spec }) => spec.access.level !== 'public' && spec.tag !== 'Staff' && spec.kind !== 'subscription',
);
/** Returns whether authorization refuses a dismissed account before any lookup. */
const isGuarded = ({ access, errors }: ProcedureSpec) =>
  access.level !== 'public' && errors.includes('admin_access_required');
/** They change what the account has in another firm, whose invite it may still accept. */
const OF_ANOTHER_FIRM = new Set(['invites.join']);

describe.each(procedures)('$name', ({ name, spec, meta }) => {
  const schema = inputSchemaOf(meta);

  test.each([
    ['inactive', inactive],
    ['deleted', removed],
  ])('changes and reads nothing for an account whose membership is %s', async (_, mine) => {
    const token = await ownToken(gateway, spec, mine);
    const before = await rowsOf();
    for (const call of callsByTransport(gateway, name, spec)) {
      const { status, text } = await call({ token }, exampleOf(name, schema, mine));
      if (isGuarded(spec))
        expect([status, text]).toEqual([403, expect.stringContaining('"admin_access_required"')]);
      expect(namedIn(text, mine)).toEqual([]);
    }
    if (!OF_ANOTHER_FIRM.has(name)) expect(await changedSince(before)).toEqual([]);
  });

  if (spec.access.level !== 'account' || isGuarded(spec)) {
    test('rejects an account that is no longer staff with 403 admin_access_required', async () => {
      const { text: token } = await createToken(gateway.services, {
        user: formerStaff,
        workspace: PLATFORM,
        scopes: neededScopes(spec),
      });
      const before = await rowsOf();
      for (const call of callsByTransport(gateway, name, spec)) {
        const caller = { token, workspace: inactive.home.slug };
        const { status, text } = await call(caller, exampleOf(name, schema, inactive));
        expect([status, text]).toEqual([403, expect.stringContaining('"admin_access_required"')]);
      }
      expect(await changedSince(before)).toEqual([]);
    });
  }

  test('rejects a deleted account with 401 revoked_token', async () => {
    const token = await ownToken(gateway, spec, deleted);
    for (const call of callsByTransport(gateway, name, spec)) {
      const { status, text } = await call({ token }, exampleOf(name, schema, deleted));
      expect([status, text]).toEqual([401, expect.stringContaining('"revoked_token"')]);
    }
  });
});

/** Returns the kinds whose ids the response contains. */
function namedIn(text: string, mine: Fixtures): FixtureKind[] {
  return kindsOfFirm.filter((kind) => text.includes(mine[kind].text));
}

/** The number and the digest of each table's rows. */
type Rows = Map<string, string>;

/** Reads every table of the firms. */
async function rowsOf(): Promise<Rows> {
  const { rows } = await pool.query<{ name: string; digest: string }>(readAll);
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Returns the tables in which a row was added, removed or changed. */
async function changedSince(before: Rows): Promise<string[]> {
  const now = await rowsOf();
  return [...now].filter(([name, digest]) => digest !== before.get(name)).map(([name]) => name);
}
