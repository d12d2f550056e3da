/**
 * Authorization is the same over websocket, for subscriptions, in a batch and with the console's cookie, and the later checks
 * follow in the documented order. The gateway's `all-procedures.test.ts` covers REST and single calls over `/trpc`. Both derive from the
 * declarations.
 */
import { type ErrorCode, PLATFORM, type TokenKind } from '@firmdesk/contract';
import { appRouter, declaredProcedures, needsFreshSignIn, type ProcedureSpec } from '@firmdesk/domain';
import {
  actorsOf,
  type Json,
  kindsOf,
  layersOf,
  neededPermissions,
  neededScopes,
  openSocket,
  otherScopes,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf, put } from './examples.ts';
import { createFixtures, nonexistentLike, ownToken } from './fixtures.ts';
import { inputSchemaOf, referencesOf } from './references.ts';

/** Maximum number of calls in a batch. */
const BATCH = 20;

const gateway = await suiteGateway();
const actors = await actorsOf(gateway);
const home = await createFixtures(gateway);

const procedures = declaredProcedures(appRouter);

describe.each(procedures.filter(({ spec }) => spec.access.level !== 'public'))(
  '$name over websocket',
  ({ name, spec }) => {
    test.each(kindsOf(spec))(
      'reports the first failing check of a token of the kind %s, in the documented order',
      async (kind) => {
        // The socket of an account outside the workspace is closed before any call.
        const isCovered = (code: ErrorCode) =>
          code !== 'validation_failed' && (code !== 'admin_access_required' || spec.access.level === 'admin');
        const layers = layersOf(spec, kind).filter(isCovered);
        for (const [index, code] of layers.entries()) {
          // A socket never carries a key.
          const faults = new Set(layers.slice(index));
          expect(
            await codeOverSocket(name, spec, await callerWith(spec, faults, kind)),
            [...faults].join(),
          ).toBe(code);
        }
      },
    );

    test('accepts a caller with exactly the declared rights', async () => {
      const code = await codeOverSocket(name, spec, await callerWith(spec, new Set()));
      // The caller is none of the service's staff.
      const refused = spec.tag === 'Staff' ? ['forbidden'] : [];
      expect([
        null,
        'missing_idempotency_key',
        'validation_failed',
        'resource_not_found',
        ...refused,
      ]).toContain(code);
    });

    if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
      test('requires staff to name a firm in which they may act', async () => {
        const token = await actors.token(actors.staff, neededScopes(spec), PLATFORM);
        const code = (workspace?: string) =>
          codeOverSocket(name, spec, { token, ...(workspace && { workspace }) });
        expect(await code()).toBe('workspace_required');
        expect(await code(actors.foreign.slug)).toBe('workspace_not_permitted');
        expect(await code(PLATFORM)).toBe('workspace_not_permitted');
        expect((await code(actors.firm.slug)) ?? '').not.toMatch(/workspace/);
      });
    }
  },
);

test('a socket with an invalid or ended token is closed with 4401 and the code', async () => {
  for (const [token, code] of [...actors.deadTokens, [undefined, 'invalid_token'] as const]) {
    const socket = await openSocket(gateway.url, { params: token === undefined ? {} : { token } });
    expect(await socket.closed).toEqual([4401, code]);
  }
});

describe.each(
  procedures.filter(({ spec }) => spec.kind !== 'subscription' && spec.access.level !== 'public'),
)('$name with the console’s cookie', ({ name, spec }) => {
  test('accepts the cookie only from a page of the same origin', async () => {
    const cookie = `firmdesk_session_${actors.firm.slug}=${await actors.token(actors.admin, neededScopes(spec))}`;
    const call = async (headers: Record<string, string>) =>
      (await gateway.rpc(name, { workspace: actors.firm.slug, headers: { cookie, ...headers }, body: {} }))
        .code;
    const own = new URL(gateway.url).origin;
    expect(await call({ origin: own })).not.toBe('invalid_token');
    const others = ['https://evil.example', 'null', own.replace('http:', 'http://x.'), `${own}0`];
    for (const origin of others) expect(await call({ origin }), origin).toBe('invalid_token');
    if (spec.kind === 'mutation') expect(await call({})).toBe('invalid_token');
    else expect(await call({ 'sec-fetch-site': 'cross-site' })).toBe('invalid_token');
    // A bearer token takes precedence over the cookie.
    expect(await call({ origin: own, authorization: 'Bearer x' })).toBe('invalid_token');
  });

  test.each(neededPermissions(spec, 'device'))('requires the permission %s', async (permission) => {
    const { slug } = actors.firm;
    const admin = await actors.adminWithout([permission]);
    const cookie = `firmdesk_session_${slug}=${await actors.token(admin, neededScopes(spec), slug, 'device')}`;
    const headers = { cookie, origin: new URL(gateway.url).origin };
    expect((await gateway.rpc(name, { workspace: slug, headers, body: {} })).code).toBe('forbidden');
  });
});

const withFreshSignIn = procedures.filter(({ spec }) => needsFreshSignIn(spec.access));

test('what changes who can sign in, takes stored data out or deletes it is listed', () => {
  expect(withFreshSignIn.map(({ name }) => name).sort()).toEqual([
    'firm.data.export',
    'firm.data.person.erase',
    'firm.data.person.export',
    'firm.data.scheduleDeletion',
    'firm.keys.create',
    'firm.keys.revoke',
    'firm.keys.rotate',
    'signIn.addPasskey',
    'signIn.disableSecondFactor',
    'signIn.enableSecondFactor',
    'signIn.removePasskey',
    'signIn.renewRecoveryCodes',
    'signIn.startPasskey',
    'signIn.startSecondFactor',
    'singleSignOn.addDomain',
    'singleSignOn.removeDomain',
    'singleSignOn.removeProvider',
    'singleSignOn.require',
    'singleSignOn.saveProvider',
    'singleSignOn.verifyDomain',
    'staff.firms.create',
    'staff.firms.resume',
    'staff.firms.suspend',
  ]);
});

test.each(withFreshSignIn)(
  '$name needs a session that was opened or confirmed a moment ago',
  async ({ name, spec }) => {
    const token = await actors.token(actors.admin, neededScopes(spec), actors.firm.slug, 'device');
    const call = async () => (await gateway.rpc(name, { token, body: {} })).code;
    await gateway.services.pool.query('update tokens set verified_at = $1', [
      new Date(gateway.clock.now().getTime() - 300_000),
    ]);
    expect(await call()).toBe('fresh_sign_in_required');
    await gateway.services.pool.query('update tokens set verified_at = null');
    expect(await call()).toBe('fresh_sign_in_required');
  },
);

test('authorizes each call of a batch separately', async () => {
  const queries = procedures.filter(({ spec }) => spec.kind === 'query');
  for (const missing of new Set(queries.flatMap(({ spec }) => neededScopes(spec)))) {
    const token = await actors.token(
      actors.admin,
      otherScopes(queries.find(({ spec }) => neededScopes(spec)[0] === missing)!.spec),
    );
    for (let i = 0; i < queries.length; i += BATCH) {
      const batch = queries.slice(i, i + BATCH);
      const answer = await gateway.request(`GET /trpc/${batch.map(({ name }) => name).join()}?batch=1`, {
        token,
      });
      const codes = (answer.body as Json[]).map((each) => each.error?.json.data.code ?? null);
      for (const [j, { name, spec }] of batch.entries()) {
        const isMissing = neededScopes(spec).includes(missing);
        expect(codes[j] === 'insufficient_scope', `${name} without ${missing}`).toBe(isMissing);
      }
    }
  }
});

/** Procedures that look something up and have another field that can be malformed. */
const lookingUp = procedures
  .filter(({ spec }) => spec.kind !== 'subscription')
  .map(({ name, spec, meta }) => {
    const schema = inputSchemaOf(meta);
    return {
      name,
      spec,
      schema,
      references: referencesOf(name, schema).filter(({ path }) => path.length === 1),
      fields: Object.keys(schema.properties ?? {}).filter(
        (field) => spec.fieldCodes[field] !== 'resource_not_found',
      ),
    };
  })
  .filter(({ references, fields }) => references.length > 0 && fields.length > 0);

test.each(lookingUp)('$name: rejects a malformed field before any lookup', async (procedure) => {
  const { name, spec, schema, references, fields } = procedure;
  const token = await ownToken(gateway, spec, home);
  for (const field of fields) {
    const input = exampleOf(name, schema, home);
    for (const reference of references)
      put(input, reference, nonexistentLike(reference.kind, home[reference.kind]));
    const answer = await gateway.rpc(name, { token, body: { ...input, [field]: 1.5 } });
    expect(answer.code, `${field}: ${answer.text}`).toBe(spec.fieldCodes[field] ?? 'validation_failed');
  }
});

interface Caller {
  token: string;
  workspace?: string;
}

/** Returns a caller who fails exactly these checks. */
async function callerWith(
  spec: ProcedureSpec,
  faults: ReadonlySet<ErrorCode>,
  kind: TokenKind = 'api_key',
): Promise<Caller> {
  if (faults.has('invalid_token')) return { token: 'x' };
  const user = faults.has('admin_access_required')
    ? actors.trader
    : faults.has('forbidden')
      ? await actors.adminWithout(neededPermissions(spec, kind))
      : actors.admin;
  const held = faults.has('insufficient_scope') ? otherScopes(spec) : neededScopes(spec);
  const token = await actors.token(user, held, actors.firm.slug, kind);
  return { token, ...(faults.has('workspace_not_permitted') && { workspace: actors.foreign.slug }) };
}

/** Returns the error code of a call over websocket, or of the closed socket; null for a successful call. */
async function codeOverSocket(name: string, { kind }: ProcedureSpec, params: Caller): Promise<string | null> {
  const socket = await openSocket(gateway.url, { params: { ...params } });
  try {
    const closed = socket.closed.then(([, reason]) => reason);
    const answer = await Promise.race([closed, socket.call(kind, name, {}).catch(() => closed)]);
    return typeof answer === 'string' ? answer : (answer.code ?? null);
  } finally {
    socket.ws.terminate();
  }
}
