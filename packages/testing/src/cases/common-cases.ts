import { randomUUID } from 'node:crypto';
import { type ErrorCode, PLATFORM, scopes, type TokenKind } from '@firmdesk/contract';
import {
  appRouter,
  declaredProcedures,
  needsMembership,
  type ProcedureSpec,
  statusOf,
} from '@firmdesk/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../data/accounts.ts';
import { exchange } from '../gateway/raw-http.ts';
import type { Answer, RequestOptions, RpcAnswer, TestGateway } from '../gateway/test-gateway.ts';
import {
  type Actors,
  actorsOf,
  createActors,
  kindsOf,
  neededPermissions,
  neededScopes,
  otherScopes,
} from './actors.ts';
import { expectPublished, type Json, operationOf, resolved } from './published.ts';

/** The request of a valid call by `actors.admin` in `actors.firm`. A new one is created for each call. */
export interface Example {
  params?: Record<string, string>;
  query?: string;
  body?: Record<string, unknown>;
}

/** A declared procedure over one of its two transports. */
interface Endpoint {
  title: string;
  spec: ProcedureSpec;
  call(options: RequestOptions): Promise<Answer | RpcAnswer>;
  codeOf(answer: Answer | RpcAnswer): string | null;
}

/**
 * Declares the tests that every endpoint shares and that need a valid call: the published response, replays, wrong types of
 * each field. `all-procedures.test.ts` tests the cases that need no valid call, for every procedure.
 */
export function commonCases(
  gateway: TestGateway,
  target: string,
  example: (actors: Actors, gateway: TestGateway) => Promise<Example>,
): void {
  const { spec } = declared((spec) => titleOf(spec) === target);
  const [method, template] = target.split(' ') as [string, string];
  let actors: Actors;
  const send = async (options: RequestOptions, change: (example: Example) => Example = (same) => same) => {
    const { params, query, body } = change(await example(actors, gateway));
    const path = template.replace(/\{(\w+)\}/g, (_, name) => params?.[name] ?? 'missing');
    return gateway.request(`${method} ${path}${query ? `?${query}` : ''}`, {
      ...(spec.input === 'body' && { body: body ?? {} }),
      ...options,
    });
  };
  const token = () => actors.token(actors.admin, neededScopes(spec));

  describe(`${target} with a valid call`, () => {
    beforeAll(async () => {
      actors = await createActors(gateway);
    });

    test('responds as published', async () => {
      const answer = await send({ token: await token() });
      expect(spec.status, answer.text).toContain(answer.status);
      expectPublished(target, answer);
    });

    if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
      test('accepts staff in the firm that they name', async () => {
        const staff = await actors.token(actors.staff, neededScopes(spec), PLATFORM);
        const answer = await send({ token: staff, workspace: actors.firm.slug });
        expect(spec.status, answer.text).toContain(answer.status);
      });
    }

    if (spec.idempotent) {
      test('replays the response for the same idempotency key, in upper case or quoted', async () => {
        const key = randomUUID();
        const sent = await example(actors, gateway);
        const again = (key: string) => send({ token: null, key }, () => sent);
        const bearer = await token();
        const first = await send({ token: bearer, key }, () => sent);
        for (const same of [key, key.toUpperCase(), `"${key}"`]) {
          const replay = await send({ token: bearer, key: same }, () => sent);
          expect(replay.text).toBe(first.text);
          expect(replay.status).toBe(first.status);
          expect(replay.headers.get('idempotent-replayed')).toBe('true');
          expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
        }
        if (spec.access.level !== 'public') expect((await again(key)).body.error.code).toBe('invalid_token');
      });
    }

    if (method === 'GET') {
      test('responds to HEAD as to GET, without a body', async () => {
        const { params, query } = await example(actors, gateway);
        const path = template.replace(/\{(\w+)\}/g, (_, name) => params?.[name] ?? 'missing');
        // A compressed response has no length beforehand.
        const options = { token: await token(), headers: { 'Accept-Encoding': 'identity' } };
        const got = await gateway.request(`GET ${path}${query ? `?${query}` : ''}`, options);
        const head = await gateway.request(`HEAD ${path}${query ? `?${query}` : ''}`, options);
        expect(head.status).toBe(got.status);
        expect(head.text).toBe('');
        expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)));
      });
    }

    if (spec.input === 'body') {
      const schema = resolved(operationOf(target).requestBody.content['application/json'].schema);
      test.each(Object.keys(schema.properties))('rejects %s of a wrong JSON type', async (field) => {
        const allowed = typesOf(schema.properties[field]);
        const isRequired = schema.required?.includes(field);
        for (const value of [null, '', 0, 1, 1.5, true, 'false', [], {}, ['x']]) {
          if (jsonTypesOf(value).some((type) => allowed.has(type))) continue;
          const answer = await send({ token: await token() }, (valid) => ({
            ...valid,
            body: { ...valid.body, [field]: value },
          }));
          expectCode(target, spec, answer, spec.fieldCodes[field] ?? 'validation_failed');
          if (!spec.fieldCodes[field])
            expect(answer.body.error.fields[0].path).toMatch(new RegExp(`^${field}\\b`));
        }
        if (!isRequired) return;
        const answer = await send({ token: await token() }, (valid) => {
          const { [field]: _, ...body } = valid.body!;
          return { ...valid, body };
        });
        expectCode(target, spec, answer, spec.fieldCodes[field] ?? 'validation_failed');
      });

      test('ignores unknown fields', async () => {
        const answer = await send({ token: await token() }, (valid) => ({
          ...valid,
          body: { ...valid.body, not_in_the_contract: '\0', object: 1 },
        }));
        expect(spec.status, answer.text).toContain(answer.status);
      });
    }
  });
}

/** Declares the tests of a procedure that need no valid call, over REST and RPC. */
export function guardCases(gateway: TestGateway, name: string): void {
  const { spec } = declared((_, known) => known === name);
  const overRpc: Endpoint = {
    title: `/trpc/${name}`,
    spec,
    call: (options) => gateway.rpc(name, options),
    codeOf: (answer) => (answer as RpcAnswer).code,
  };
  endpointCases(gateway, overRpc);
  if (!spec.rest) return;
  const path = spec.rest.path.replace(/\{\w+\}/g, 'missing');
  const overRest: Endpoint = {
    title: titleOf(spec)!,
    spec,
    call: (options) => gateway.request(`${spec.rest!.method} ${path}`, options),
    codeOf: (answer) => answer.body?.error?.code ?? null,
  };
  endpointCases(gateway, overRest);
  describe(overRest.title, () => restCases(gateway, overRest, path));
}

function endpointCases(gateway: TestGateway, endpoint: Endpoint): void {
  const { spec, title } = endpoint;
  let actors: Actors;
  const refused = async (options: RequestOptions, code: ErrorCode) => {
    const answer = await endpoint.call({ body: spec.input === 'body' ? {} : undefined, ...options });
    expect(endpoint.codeOf(answer), `${title}: ${answer.text}`).toBe(code);
    expect(answer.status).toBe(statusOf(spec, code));
    expect(answer.headers.get('www-authenticate')).toBe(answer.status === 401 ? 'Bearer' : null);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    if (!title.startsWith('/trpc')) expectPublished(title, answer);
  };
  const accepted = async (options: RequestOptions) => {
    const answer = await endpoint.call({ body: spec.input === 'body' ? {} : undefined, ...options });
    expect([401, 403], `${title}: ${answer.text}`).not.toContain(answer.status);
  };

  describe(title, () => {
    beforeAll(async () => {
      actors = await actorsOf(gateway);
    });

    if (spec.access.level !== 'public') {
      test('rejects missing, invalid, revoked and expired tokens with their 401 codes', async () => {
        await refused({ token: null }, 'invalid_token');
        for (const [token, code] of actors.deadTokens) await refused({ token }, code);
        const live = await actors.token(actors.admin, neededScopes(spec));
        for (const authorization of [`Basic ${live}`, live, 'Bearer', `Bearer ${live} ${live}`]) {
          await refused({ headers: { authorization } }, 'invalid_token');
        }
        await accepted({ headers: { authorization: `bearer ${live}` } });
      });

      test('requires its scope and no other', async () => {
        await accepted({ token: await actors.token(actors.admin, neededScopes(spec)) });
        if (neededScopes(spec).length === 0) return;
        await refused({ token: await actors.token(actors.admin, otherScopes(spec)) }, 'insufficient_scope');
        await refused({ token: await actors.token(actors.admin, []) }, 'insufficient_scope');
      });
    }

    if (spec.access.level === 'admin') {
      test('requires an active administrator with each of the permissions', async () => {
        for (const user of [actors.trader, actors.dismissed]) {
          await refused({ token: await actors.token(user, neededScopes(spec)) }, 'admin_access_required');
        }
        for (const permission of neededPermissions(spec)) {
          const admin = await actors.adminWithout([permission]);
          await refused({ token: await actors.token(admin, neededScopes(spec)) }, 'forbidden');
        }
      });
    }

    if (spec.access.level === 'workspace' && kindsOf(spec).includes('device')) {
      test('requires of a signed-in device an administrator with each of the permissions', async () => {
        const device = (user: TestUser) => actors.token(user, neededScopes(spec), actors.firm.slug, 'device');
        await accepted({ token: await device(actors.admin) });
        await refused({ token: await device(actors.trader) }, 'admin_access_required');
        for (const permission of neededPermissions(spec, 'device')) {
          const admin = await actors.adminWithout([permission]);
          await refused({ token: await device(admin) }, 'forbidden');
          await accepted({ token: await actors.token(admin, neededScopes(spec)) });
        }
        const staff = await actors.token(actors.staff, neededScopes(spec), PLATFORM, 'device');
        await accepted({ token: staff, workspace: actors.firm.slug });
      });
    }

    if (needsMembership(spec.access) && spec.access.level !== 'admin') {
      test('requires an active membership of any role', async () => {
        const { dismissed, trader } = actors;
        await refused({ token: await actors.token(dismissed, neededScopes(spec)) }, 'admin_access_required');
        await accepted({ token: await actors.token(trader, neededScopes(spec)) });
      });
    }

    if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
      test('acts in the token’s own firm, or in the firm that staff name', async () => {
        const own = await actors.token(actors.admin, neededScopes(spec));
        const staff = await actors.token(actors.staff, neededScopes(spec), PLATFORM);
        const { firm, foreign } = actors;
        await accepted({ token: own, workspace: firm.slug });
        await accepted({ token: own, workspace: '' });
        await accepted({ token: staff, workspace: firm.slug });
        await refused({ token: staff }, 'workspace_required');
        await refused({ token: staff, workspace: '' }, 'workspace_required');
        for (const token of [own, staff]) {
          for (const workspace of [foreign.slug, 'no-such-firm', PLATFORM, `${firm.slug}, ${firm.slug}`]) {
            await refused({ token, workspace }, 'workspace_not_permitted');
          }
        }
      });
    }

    if (spec.idempotent) {
      test('rejects an idempotency key that is not a UUID', async () => {
        const token = await actors.token(actors.admin, neededScopes(spec));
        for (const key of [null, 'x', '1234', `{${randomUUID()}}`, `${randomUUID()}, ${randomUUID()}`]) {
          await refused({ token, key }, 'missing_idempotency_key');
        }
        for (const empty of ['', ' ', '""']) {
          const headers = { 'idempotency-key': empty };
          await refused({ token, key: null, headers }, 'missing_idempotency_key');
        }
      });
    }

    test.each(kindsOf(spec))(
      'reports the first of several errors, in the documented order, with a token of the kind %s',
      async (kind) => {
        const layers = checkCodesOf(spec, kind);
        const { level } = spec.access;
        for (const [index, code] of layers.entries()) {
          const broken = new Set(layers.slice(index));
          const isWrong = (code: ErrorCode) => broken.has(code);
          const user = isWrong('admin_access_required')
            ? level === 'admin'
              ? actors.trader
              : actors.dismissed
            : isWrong('forbidden')
              ? await actors.adminWithout(neededPermissions(spec, kind))
              : actors.admin;
          const held = isWrong('insufficient_scope') ? otherScopes(spec) : neededScopes(spec);
          const options: RequestOptions = {
            token: isWrong('invalid_token') ? null : await actors.token(user, held, actors.firm.slug, kind),
            ...(isWrong('workspace_not_permitted') && { workspace: actors.foreign.slug }),
            key: isWrong('missing_idempotency_key') ? null : randomUUID(),
            ...(spec.input === 'body' && { body: '{"unfinished":' }),
          };
          await refused(options, code);
          if (spec.input === 'body') {
            const expected = code === 'validation_failed' ? 'unsupported_media_type' : code;
            await refused({ ...options, headers: { 'content-type': 'text/plain' } }, expected);
          }
        }
      },
    );
  });
}

/** Returns the error codes of the checks of a call with a token of this kind, in the order of the checks (contract §1). */
export function checkCodesOf(spec: ProcedureSpec, kind: TokenKind = 'api_key'): ErrorCode[] {
  const { level } = spec.access;
  const layers: [boolean, ErrorCode][] = [
    [level !== 'public', 'invalid_token'],
    [neededScopes(spec).length > 0, 'insufficient_scope'],
    [needsMembership(spec.access), 'admin_access_required'],
    [level === 'admin' || level === 'workspace', 'workspace_not_permitted'],
    [neededPermissions(spec, kind).length > 0, 'forbidden'],
    [spec.idempotent, 'missing_idempotency_key'],
    [spec.input === 'body', 'validation_failed'],
  ];
  return layers.filter(([applies]) => applies).map(([, code]) => code);
}

function restCases(gateway: TestGateway, { title, spec, call }: Endpoint, path: string): void {
  const operation = operationOf(title);

  test('returns 405 for other methods, before any other check', async () => {
    const known = await gateway.request(`OPTIONS ${path}`);
    expect(known.status).toBe(204);
    const allowed = known.headers.get('allow')!.split(', ');
    expect(allowed).toContain(spec.rest!.method);
    expect(allowed).toContain('OPTIONS');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (m) => !allowed.includes(m),
    )) {
      const answer = await gateway.request(`${method} ${path}`, { key: null });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(known.headers.get('allow'));
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('method_not_allowed');
    }
  });

  if (spec.access.level === 'workspace' || spec.access.level === 'admin') {
    test('rejects a repeated Service-Workspace header', async () => {
      const actors = await actorsOf(gateway);
      const answer = await exchange(gateway.url, [
        `${spec.rest!.method} ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${await actors.token(actors.admin, neededScopes(spec))}`,
        `Service-Workspace: ${actors.firm.slug}`,
        `Service-Workspace: ${actors.firm.slug}`,
        `Idempotency-Key: ${randomUUID()}`,
        'Content-Length: 0',
      ]);
      expect(answer).toContain('"code":"workspace_not_permitted"');
    });
  }

  test('does not match other spellings of the path', async () => {
    for (const other of [`${path}/`, path.toUpperCase(), `/${path}`]) {
      const answer = await gateway.request(`${spec.rest!.method} ${other}`);
      expect(answer.status, other).toBe(404);
      expect(answer.body.error.code).toBe('resource_not_found');
    }
  });

  if (spec.input === 'body') {
    test('rejects a body that is not a JSON object', async () => {
      const actors = await actorsOf(gateway);
      const token = await actors.token(actors.admin, scopes);
      const send = (options: RequestOptions) => call({ token, ...options });
      for (const body of ['[]', '"text"', '1', 'null', 'true', '{', '{"a":1}}', "{'a':1}", 'NaN']) {
        const answer = await send({ body });
        expectCode(title, spec, answer, 'validation_failed');
        expect(answer.body.error.fields).toMatchObject([{ path: '' }]);
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonp',
        'multipart/form-data',
      ]) {
        const answer = await send({ body: '{}', headers: { 'content-type': type } });
        expectCode(title, spec, answer, 'unsupported_media_type');
      }
      const latin = { 'content-type': 'application/json; charset=latin1' };
      expectCode(title, spec, await send({ body: '{}', headers: latin }), 'unsupported_media_type');
      const large = JSON.stringify({ filler: 'x'.repeat(spec.bodyLimit) });
      expectCode(title, spec, await send({ body: large }), 'payload_too_large');
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON',
        'application/json;charset="utf-8"',
      ]) {
        const answer = await send({ body: '{}', headers: { 'content-type': type } });
        expect([413, 415, 500], answer.text).not.toContain(answer.status);
      }
    });
  }

  const parameters: Json[] = (operation.parameters ?? []).filter(
    (parameter: Json) => parameter.in === 'query',
  );
  if (parameters.length > 0 && !path.includes('missing')) {
    test.each(parameters.map((parameter) => parameter.name))(
      'rejects %s given twice or in a wrong form',
      async (name) => {
        const actors = await actorsOf(gateway);
        const token = await actors.token(actors.admin, scopes);
        const schema = parameters.find((parameter) => parameter.name === name).schema;
        const code = spec.fieldCodes[name] ?? 'validation_failed';
        const ask = (query: string) => gateway.request(`${spec.rest!.method} ${path}?${query}`, { token });
        const types = typesOf(resolved(schema));
        if (types.has('array')) return;
        const one = types.has('number') ? '5' : 'x';
        expectCode(title, spec, await ask(`${name}=${one}&${name}=${one}`), code);
        if (!types.has('number')) return;
        // An id that names nothing is not found.
        const isId = name.endsWith('_id');
        for (const value of [
          '',
          ' ',
          '0',
          '-1',
          '+5',
          '1.5',
          '1e2',
          '0x10',
          '05',
          '5 ',
          'five',
          'NaN',
          '٥',
        ]) {
          const expected = isId && value === '0' ? 'resource_not_found' : code;
          expectCode(title, spec, await ask(`${name}=${encodeURIComponent(value)}`), expected);
        }
        if (isId) return;
        const least = await ask(`${name}=1`);
        expect(least.status, least.text).toBe(200);
        const most = await ask(`${name}=99999999999999999999`);
        expect(most.status, most.text).toBe(200);
      },
    );
  }
}

function expectCode(target: string, spec: ProcedureSpec, answer: Answer, code: ErrorCode): void {
  expect(answer.body?.error?.code, `${target}: ${answer.text.slice(0, 500)}`).toBe(code);
  expect(answer.status).toBe(statusOf(spec, code));
  expectPublished(target, answer);
}

function declared(matches: (spec: ProcedureSpec, name: string) => boolean) {
  const found = declaredProcedures(appRouter).find(({ spec, name }) => matches(spec, name));
  if (!found) throw new Error('No such procedure is declared.');
  return found;
}

function titleOf({ rest }: ProcedureSpec): string | null {
  return rest && `${rest.method} ${rest.path}`;
}

/** Returns the JSON types that a published schema accepts. */
function typesOf(schema: Json): Set<string> {
  const types = new Set<string>();
  for (const type of [schema.type ?? [], schema['x-also'] ?? []].flat())
    types.add(type === 'integer' ? 'number' : type);
  for (const member of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    for (const type of typesOf(member)) types.add(type);
  }
  for (const value of schema.enum ?? []) for (const type of jsonTypesOf(value)) types.add(type);
  if (types.size === 0)
    for (const type of ['null', 'string', 'number', 'boolean', 'array', 'object']) types.add(type);
  return types;
}

function jsonTypesOf(value: unknown): string[] {
  if (value === null) return ['null'];
  return [Array.isArray(value) ? 'array' : typeof value];
}
