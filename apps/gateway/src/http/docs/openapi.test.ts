import { type ErrorCode, errorDocumentation, errorTable, scopes } from '@firmdesk/contract';
import { appRouter, declaredProcedures, statusOf } from '@firmdesk/domain';
import {
  type Json,
  openTestGateway,
  operationOf,
  published,
  type TestGateway,
} from '@firmdesk/testing/gateway';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const endpoints = declaredProcedures(appRouter).flatMap(({ spec }) =>
  spec.rest ? [{ target: `${spec.rest.method} ${spec.rest.path}`, spec }] : [],
);

describe('the document', () => {
  test('has no findings under the recommended rules of Redocly and Spectral', async () => {
    const spectral = new Spectral();
    spectral.setRuleset(oas as RulesetDefinition);
    const findings = await spectral.run(JSON.parse(JSON.stringify(published)));
    expect(findings.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
    const config = await createConfig({ extends: ['recommended'], telemetry: 'off' } as never);
    const problems = await lintFromString({ source: JSON.stringify(published), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('contains exactly the declared routes', () => {
    const documented = Object.entries<Json>(published.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(endpoints.map(({ target }) => target).sort());
    const ids = endpoints.map(({ target }) => operationOf(target).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(endpoints)(
    '$target: has the statuses, codes, headers and security of its specification',
    ({ target, spec }) => {
      const operation = operationOf(target);
      const statuses = new Set([...spec.status, ...spec.errors.map((code) => statusOf(spec, code))]);
      if (spec.conditional) statuses.add(304);
      expect(Object.keys(operation.responses).map(Number).sort()).toEqual([...statuses].sort());
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        expect(response.headers).toHaveProperty('X-Request-Id');
        if (Number(status) < 400) continue;
        const codes = response['x-error-codes'];
        expect(codes).toEqual(spec.errors.filter((code) => statusOf(spec, code) === Number(status)));
        expect('Retry-After' in response.headers).toBe(
          codes.some((code: string) =>
            ['rate_limited', 'unavailable', 'idempotency_key_in_use'].includes(code),
          ),
        );
        expect('WWW-Authenticate' in response.headers).toBe(status === '401');
      }
      const { access } = spec;
      expect(operation.security).toEqual(access.level === 'public' ? [] : [{ bearer: [] }]);
      expect(operation['x-required-scope'] ?? null).toBe('scope' in access ? access.scope : null);
      expect(operation['x-required-permissions']).toEqual(
        'permissions' in access ? access.permissions : undefined,
      );
      const parameters: Json[] = operation.parameters ?? [];
      const hasParameter = (name: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`));
      expect(hasParameter('Idempotency-Key')).toBe(spec.rest!.method === 'POST');
      expect(hasParameter('Service-Workspace')).toBe(['workspace', 'admin'].includes(spec.access.level));
      expect('requestBody' in operation).toBe(spec.input === 'body');
      expect(operation.summary).not.toBe('');
    },
  );

  test('each code of the contract belongs to a procedure', () => {
    const raised = new Set(declaredProcedures(appRouter).flatMap(({ spec }) => spec.errors));
    // `method_not_allowed` belongs to a path and not to an operation.
    const never = Object.keys(errorTable).filter((code) => !raised.has(code as never));
    expect(never.filter((code) => code !== 'method_not_allowed')).toEqual([]);
  });
});

describe('the reference', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway(inject('postgresUrl'));
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test('serves the document with its own URL', async () => {
    const answer = await gateway.request('GET /v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...published, servers: [{ url: gateway.url }] });
    expect((await gateway.request('HEAD /v1/openapi.json')).status).toBe(200);
    const refused = await gateway.request('POST /v1/openapi.json');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test.each(['/docs/', '/docs/reference', '/docs/guides/errors'])(
    '%s loads nothing from other servers',
    async (path) => {
      const page = await gateway.request(`GET ${path}`);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const linked = [...page.text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)].map(
        ([, link]) => link!,
      );
      expect(linked.length).toBeGreaterThan(1);
      for (const link of linked) {
        expect(link).toMatch(/^\/docs\//);
        expect((await gateway.request(`GET ${link}`)).status, link).toBe(200);
      }
    },
  );

  test('lists every code, every scope and every platform procedure in the guides’ tables', async () => {
    const text = async (name: string) => (await gateway.request(`GET /docs/guides/${name}`)).text;
    const [errors, tokens, platform] = [
      await text('errors'),
      await text('tokens-and-scopes'),
      await text('platform-procedures'),
    ];
    for (const [code, { status, message }] of Object.entries(errorTable)) {
      const { hash } = new URL(errorDocumentation(code as ErrorCode), gateway.url);
      const start = errors.indexOf(`id="${hash.slice(1)}"`);
      const paragraph = errors.slice(start, errors.indexOf('<h3', start + 1) >>> 0);
      expect(paragraph).toContain(`${status}`);
      expect(paragraph).toContain(message.split('"')[0]);
    }
    for (const scope of scopes) expect(tokens).toContain(`<code>${scope}</code>`);
    for (const { name, spec } of declaredProcedures(appRouter)) {
      const isForPlatform = 'scope' in spec.access && spec.access.scope === 'platform:write';
      expect(platform.includes(`>${name}</h3>`), name).toBe(isForPlatform);
    }
    expect((await gateway.request('GET /docs/guides/none')).status).toBe(404);
  });
});
