/**
 * A call acts only for the firms for which its token may act, wherever the firm comes from: a header, or a firm, a mailbox, an account or
 * another reference in the input. Staff of some firms get the same response for what belongs to another firm as for what does not exist,
 * with live and with test tokens, and nothing changes there. So does a firm's key for the accounts of the service's own staff. The
 * procedures and fields come from the declarations; `references.ts` refuses a field that may name something and is not listed.
 */
import { PLATFORM, type TokenEnvironment } from '@firmdesk/contract';
import {
  appRouter,
  declaredProcedures,
  isLiveOnly,
  type ProcedureSpec,
  resumeFirm,
  suspendFirm,
  withTransaction,
} from '@firmdesk/domain';
import { createStaff, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { neededScopes, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf, put } from './examples.ts';
import { createFixtures, type FixtureKind, type Fixtures, nonexistentLike } from './fixtures.ts';
import { inputSchemaOf, type Reference, referencesOf } from './references.ts';
import { everyRow } from './rows.ts';
import { type Caller, type ComparableResponse, callsByTransport } from './transports.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const mine = await createFixtures(gateway, { hasPassword: true });
const mySandbox = await createFixtures(gateway, { home: mine.home, owner: mine.owner, isTest: true });
const foreign = await createFixtures(gateway, { hasPassword: true });
const foreignSandbox = await createFixtures(gateway, { home: foreign.home, isTest: true });
/** A firm that has no sandbox. */
const withoutSandbox = await createWorkspace(services);
const limited = await createStaff(services, [mine.home]);
const others = await everyRow(gateway);

const own = { live: mine, test: mySandbox };
const theirs = { live: foreign, test: foreignSandbox };
const environments = ['live', 'test'] as const;

const procedures = declaredProcedures(appRouter)
  .filter(({ spec }) => spec.access.level !== 'public')
  .map(({ name, spec, meta }) => {
    const schema = inputSchemaOf(meta);
    return { name, spec, schema, references: referencesOf(name, schema) };
  });

const actsInFirm = ({ access }: ProcedureSpec) => access.level === 'workspace' || access.level === 'admin';

/** Returns a caller with a token of the limited staff, which names its firm where the procedure acts in one. */
async function limitedStaff(spec: ProcedureSpec, environment: TokenEnvironment): Promise<Caller> {
  const input = { user: limited, workspace: PLATFORM, environment, scopes: neededScopes(spec) };
  const { text: token } = await createToken(services, input);
  return { token, ...(actsInFirm(spec) && { workspace: mine.firm.text }) };
}

/** Returns the response to an id, without the id. */
async function ask(
  send: (input: Record<string, unknown>) => Promise<ComparableResponse>,
  input: Record<string, unknown>,
  reference: Reference,
  id: Fixtures[FixtureKind],
): Promise<ComparableResponse> {
  put(input, reference, id);
  const answer = await send(input);
  // A small integer may be in a response by coincidence.
  return id.text.length > 9 ? { ...answer, text: answer.text.replaceAll(id.text, '…') } : answer;
}

describe.each(procedures.filter(({ references }) => references.length > 0))(
  '$name',
  ({ name, spec, schema, references }) => {
    test.each(
      environments.flatMap((environment) => references.map((reference) => ({ environment, ...reference }))),
    )(
      'staff of another firm do not reach $name with a $environment token',
      async ({ environment, ...reference }) => {
        const { kind } = reference;
        for (const call of callsByTransport(gateway, name, spec)) {
          const caller = await limitedStaff(spec, environment);
          const send = (input: Record<string, unknown>) => call(caller, input);
          const example = () => exampleOf(name, schema, own[environment], reference);
          const unknown = nonexistentLike(kind, foreign[kind]);
          const absent = await ask(send, example(), reference, unknown);
          expect(await ask(send, example(), reference, theirs[environment][kind])).toEqual(absent);
          if (kind !== 'firm') continue;
          for (const slug of [withoutSandbox.slug, PLATFORM])
            expect(await ask(send, example(), reference, { text: slug })).toEqual(absent);
        }
      },
    );
  },
);

const namesFirm = (spec: ProcedureSpec) =>
  actsInFirm(spec) || spec.requestHeaders.includes('Service-Workspace');

describe.each(procedures.filter(({ spec }) => namesFirm(spec)))('$name', ({ name, spec, schema }) => {
  test.each(environments)(
    'staff of another firm cannot name it in a header with a %s token',
    async (environment) => {
      const { token } = await limitedStaff(spec, environment);
      for (const call of callsByTransport(gateway, name, spec)) {
        const input = exampleOf(name, schema, own[environment]);
        const answers: string[] = [];
        for (const workspace of ['no-such-firm', foreign.firm.text, withoutSandbox.slug, PLATFORM])
          answers.push((await call({ token, workspace }, input)).text);
        const isRefusedAtAll = environment === 'test' && isLiveOnly(spec.access);
        expect(answers[0]).toContain(isRefusedAtAll ? 'forbidden' : 'workspace_not_permitted');
        expect(new Set(answers).size).toBe(1);
      }
    },
  );
});

test('nothing has changed in the firms of others, and no sandbox was created', async () => {
  const now = await everyRow(gateway);
  const ids = new Set([foreign, foreignSandbox].map(({ home }) => home.id));
  // The first column of the firms' tables is the firm.
  const isTheirs = (row: string) => ids.has(Number(/^\((\d+),/.exec(row)?.[1]));
  for (const [table, rows] of now) {
    const before = others.get(table)!;
    expect(
      [...before].filter((row) => isTheirs(row) && !rows.has(row)),
      table,
    ).toEqual([]);
    expect(
      [...rows].filter((row) => isTheirs(row) && !before.has(row)),
      table,
    ).toEqual([]);
  }
  const { rows } = await services.pool.query('select from workspaces where sandbox_of = $1', [
    withoutSandbox.id,
  ]);
  expect(rows).toEqual([]);
});

/** The fields of an account, by which a firm's key could find out who has one. */
const accounts = new Set<FixtureKind>(['user', 'email', 'trader', 'traderEmail']);

describe.each(procedures.filter(({ references }) => references.some(({ kind }) => accounts.has(kind))))(
  '$name',
  ({ name, spec, schema, references }) => {
    test.each(references.filter(({ kind }) => accounts.has(kind)))(
      '$name: a firm’s key gets the same response for staff as for an unknown account',
      async (reference) => {
        const staff = await createStaff(services, 'all');
        const isEmail = foreign[reference.kind].text.includes('@');
        const id = { text: isEmail ? staff.email : staff.id };
        for (const call of callsByTransport(gateway, name, spec)) {
          const { owner, home } = mine;
          const token = (
            await createToken(services, { user: owner, workspace: home.slug, scopes: neededScopes(spec) })
          ).text;
          const send = (input: Record<string, unknown>) => call({ token }, input);
          const example = () => exampleOf(name, schema, mine, reference);
          const absent = await ask(send, example(), reference, nonexistentLike(reference.kind, id));
          expect(await ask(send, example(), reference, id)).toEqual(absent);
        }
      },
    );
  },
);

/** Procedures in whose input the platform's services name the firm. A new one is placed here, with what it stores. */
const deliveries = {
  'mail.deliver': 'mail_messages',
  'notifications.notify': 'notifications',
} as const;

test('every procedure of the platform’s services acts in a named firm, or is a delivery', () => {
  const ofAccounts = procedures.filter(
    ({ spec: { access } }) => access.level === 'account' && access.scope === 'platform:write',
  );
  expect(ofAccounts.map(({ name }) => name).sort()).toEqual(Object.keys(deliveries));
});

describe.each(Object.entries(deliveries))('%s', (name, table) => {
  const { spec, schema } = procedures.find((each) => each.name === name)!;
  const [call] = callsByTransport(gateway, name, spec);
  const change = (apply: typeof suspendFirm, slug: string) =>
    withTransaction(services, (ctx) => apply(ctx, slug));

  test.each(environments)(
    'staff of a firm deliver to it with a %s token, also while it is suspended',
    async (environment) => {
      const firm = await createFixtures(gateway);
      const staff = await createStaff(services, [firm.home]);
      const agent = await createUser(services, { firm: firm.home, permissions: ['view_tickets'] });
      const target =
        environment === 'test' ? await createFixtures(gateway, { home: firm.home, isTest: true }) : firm;
      const tokenOf = async (user: typeof staff) => {
        const input = { user, workspace: PLATFORM, environment, scopes: neededScopes(spec) };
        return (await createToken(services, input)).text;
      };
      const count = async () => {
        const { rows } = await services.pool.query(
          `select count(*)::int as n from ${table} where workspace_id = $1`,
          [target.home.id],
        );
        return rows[0].n as number;
      };
      const input = () => {
        const [reference] = referencesOf(name, schema).filter(
          ({ kind }) => kind === 'firm' || kind === 'mailboxEmail',
        );
        const example = exampleOf(name, schema, target);
        put(example, reference!, target[reference!.kind]);
        return name === 'notifications.notify'
          ? { ...example, kind: 'ticket_awaiting_admin', to: [agent.email] }
          : example;
      };
      const before = await count();
      const served = await call!({ token: await tokenOf(staff) }, input());
      expect(served.ok, served.text).toBe(true);
      await change(suspendFirm, firm.firm.text);
      const other = await tokenOf(await createStaff(services, [mine.home]));
      const refused = await call!({ token: other }, input());
      const stored = await call!(
        { token: await tokenOf(staff) },
        { ...input(), raw: 'RnJvbTogYkBjLmV4YW1wbGUNClN1YmplY3Q6IFR3bw0KDQpUd28=' },
      );
      expect([refused.ok, stored.ok], stored.text).toEqual([false, true]);
      expect(await count()).toBe(before + 2);
      await change(resumeFirm, firm.firm.text);
    },
  );
});

/** The procedures of the platform's services that name the firm in a header. Their calls of a suspended firm are stored, and no others. */
test('of the calls that name a suspended firm in a header, those of the platform’s services are accepted', async () => {
  const firm = await createFixtures(gateway);
  const staff = await createStaff(services, [firm.home]);
  await withTransaction(services, (ctx) => suspendFirm(ctx, firm.firm.text));
  for (const { name, spec } of procedures.filter(
    ({ spec }) => actsInFirm(spec) && spec.kind !== 'subscription',
  )) {
    const input = { user: staff, workspace: PLATFORM, scopes: neededScopes(spec) };
    const { text: token } = await createToken(services, input);
    const { code } = await gateway.rpc(name, { token, workspace: firm.firm.text, body: {} });
    const isDelivery = neededScopes(spec).includes('platform:write');
    expect([name, code === 'workspace_not_permitted']).toEqual([name, !isDelivery]);
  }
  const { text: token } = await createToken(services, { user: staff, workspace: PLATFORM });
  const opened = await gateway.rpc('tickets.platform.open', {
    token,
    workspace: firm.firm.text,
    body: { from: firm.traderEmail.text, subject: 'Payout', body: 'Where is it?' },
  });
  expect(opened.code, opened.text).toBeNull();
});
