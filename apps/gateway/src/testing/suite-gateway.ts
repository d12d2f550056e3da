import { afterAll, afterEach, expect, inject } from 'vitest';
import { openPushGateway, type PushGateway } from './push-devices.ts';
import { openTestGateway, type TestGateway } from './test-gateway.ts';

/** The gateway of a suite, for `await` at its top: it ends with the suite, and no test may leave an error in its log. */
export async function suiteGateway(options?: Parameters<typeof openTestGateway>[1]): Promise<TestGateway> {
  return kept(await openTestGateway(inject('postgresUrl'), options));
}

/** The same, and its notifications go to a stand-in. */
export async function suitePushGateway(): Promise<PushGateway> {
  return kept(await openPushGateway(inject('postgresUrl')));
}

function kept<G extends TestGateway>(gateway: G): G {
  afterAll(() => gateway[Symbol.asyncDispose]());
  afterEach(() => {
    const lines = gateway.log.lines.splice(0);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
  return gateway;
}
