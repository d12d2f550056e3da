import { appRouter } from '@firmdesk/domain';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { declaredProcedures } from './http/routes.ts';
import { guardCases } from './testing/common-cases.ts';
import { openTestGateway, type TestGateway } from './testing/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'));
});
afterAll(() => gateway[Symbol.asyncDispose]());
// An undeclared code, or a fault of ours, is logged as an error.
afterEach(() => {
  expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toEqual([]);
});

// A new procedure is covered without being listed.
for (const { name, rule } of declaredProcedures(appRouter)) {
  if (rule.kind !== 'subscription') guardCases(() => gateway, name);
}
