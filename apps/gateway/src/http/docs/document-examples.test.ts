import { fileURLToPath } from 'node:url';
import {
  addUser,
  addWorkspace,
  appRouter,
  declaredProcedures,
  type ProcedureSpec,
  suspendFirm,
  withTransaction,
} from '@firmdesk/domain';
import { demoSeed, type ImportResult, importSeed } from '@firmdesk/seed';
import { DEMO_PASSWORD } from '@firmdesk/seed/demo-account';
import { createToken } from '@firmdesk/testing';
import {
  type Answer,
  codesWithoutExample,
  commonErrors,
  type ExampleCall,
  exampleCalls,
  extraTokens,
  type Json,
  normalizeJson,
  openTestGateway,
  operationOf,
  PROVIDER_ONLY,
  SECOND_FACTOR,
  SUSPENDED,
  type TestGateway,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

/** The time of the examples. */
const NOW = Date.parse('2026-11-23T09:30:00Z');

const specs = new Map<string, ProcedureSpec>(
  declaredProcedures(appRouter).flatMap(({ spec }) =>
    spec.rest ? [[`${spec.rest.method} ${spec.rest.path}`, spec]] : [],
  ),
);

let gateway: TestGateway;
let imported: ImportResult;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'));
  const { services, clock } = gateway;
  services.publicUrl = () => 'https://desk.example.com';
  clock.advance(NOW - clock.now().getTime());
  imported = await importSeed(services, demoSeed(clock.now()));
  Object.assign(tokens, imported.tokens);
  for (const [name, { user, ...rights }] of Object.entries(extraTokens)) {
    const { rows } = await services.pool.query(`select id, email from users where email like $1 || '@%'`, [
      user,
    ]);
    const token = await createToken(services, { user: rows[0], workspace: 'northgate', ...rights });
    tokens[name] = token.text;
  }
  const ida = await withTransaction(services, (ctx) =>
    addUser(ctx, {
      ...{ email: SECOND_FACTOR.email, name: 'Ida Lund', password: DEMO_PASSWORD },
      ...{ workspace: 'northgate', role: 'admin', permissions: [] },
    }),
  );
  await withTransaction(services, async (ctx) => {
    await addWorkspace(ctx, PROVIDER_ONLY);
    await addUser(ctx, {
      ...{ email: PROVIDER_ONLY.email, name: 'Erik Solberg', password: DEMO_PASSWORD },
      ...{ workspace: PROVIDER_ONLY.slug, role: 'admin', permissions: [] },
    });
  });
  await services.pool.query(
    `insert into sign_in_providers (workspace_id, issuer, client_id, client_secret, is_required, updated_at)
     select id, 'https://login.solberg.example', 'firmdesk', '', true, now() from workspaces where slug = $1`,
    [PROVIDER_ONLY.slug],
  );
  const unconfirmed = await createToken(services, { user: ida, workspace: 'northgate', kind: 'device' });
  await gateway.rpc('signIn.startSecondFactor', { token: unconfirmed.text, body: {} });
  await services.pool.query('update second_factors set confirmed_at = created_at');
  await services.pool.query('update tokens set verified_at = null where id = $1', [unconfirmed.id]);
  tokens['unconfirmed'] = unconfirmed.text;
  const { id } = await withTransaction(services, async (ctx) => {
    await addWorkspace(ctx, SUSPENDED);
    return addUser(ctx, {
      ...{ email: SUSPENDED.email, name: 'Nora Halden', password: DEMO_PASSWORD },
      ...{ workspace: SUSPENDED.slug, role: 'admin', permissions: [] },
    });
  });
  const owner = { id, email: SUSPENDED.email };
  tokens['suspended'] = (await createToken(services, { user: owner, workspace: SUSPENDED.slug })).text;
  await withTransaction(services, (ctx) => suspendFirm(ctx, SUSPENDED.slug));
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function call(target: string, call: ExampleCall): Promise<Answer> {
  const path = target.replace(/\{(\w+)\}/g, (_, name) => call.params?.[name] ?? 'missing');
  const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
  const token = call.token === null ? null : tokens[call.token ?? 'demo']!;
  return gateway.request(`${path}${query}`, {
    token,
    ...(call.workspace && { workspace: call.workspace }),
    ...(call.body && { body: call.body }),
    ...(call.key === null && { key: null }),
    ...(call.headers && { headers: call.headers }),
  });
}

/** Returns the examples of an operation as the service responds now. */
async function recordExamples(
  target: string,
  { calls, errors: own = {} }: ReturnType<typeof exampleCalls>[string][string],
) {
  const spec = specs.get(target)!;
  const errors: Record<string, unknown> = {};
  const common = commonErrors(spec);
  for (const code of spec.errors.filter((code) => !codesWithoutExample.includes(code))) {
    const request = own[code] ?? { ...calls[0], ...common[code] };
    const response = await call(target, request);
    expect(response.body?.error?.code, `${target} ${code}: ${response.text.slice(0, 300)}`).toBe(code);
    errors[code] = response.body;
  }
  const responses: Record<string, unknown> = {};
  for (const each of calls) {
    const response = await call(target, each);
    expect(spec.status, `${target}: ${response.text}`).toContain(response.status);
    responses[response.status] = response.body;
  }
  expect(Object.keys(responses).map(Number).sort()).toEqual([...spec.status].sort());
  const { params, query, body } = calls[0]!;
  return {
    request: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    responses,
    errors,
  };
}

// The document shows these files. CONTRIBUTING.md records them with `-t`, because the tests below read the files before they are written.
test('records the examples of every operation, called with the demo data', async () => {
  const areas = exampleCalls(imported);
  expect(Object.values(areas).flatMap(Object.keys).sort()).toEqual([...specs.keys()].sort());
  for (const [area, operations] of Object.entries(areas)) {
    const examples: Record<string, unknown> = {};
    for (const [target, about] of Object.entries(operations))
      examples[target] = await recordExamples(target, about);
    const file = fileURLToPath(new URL(`../../../examples/${area}.json`, import.meta.url));
    await expect(normalizeJson(examples)).toMatchFileSnapshot(file);
  }
});

describe('the document', () => {
  test.each([...specs])('%s: has an example of each status and each code', (target, spec) => {
    const { responses } = operationOf(target);
    const examplesOf = (status: string): Json => responses[status].content['application/json'].examples;
    for (const status of spec.status) expect(Object.keys(examplesOf(String(status)))).toHaveLength(1);
    const codes = Object.entries<Json>(responses).flatMap(([status, response]) =>
      Number(status) < 400 ? [] : [[Object.keys(examplesOf(status)), response['x-error-codes']]],
    );
    for (const [names, declared] of codes) expect(names).toEqual(declared);
  });
});
