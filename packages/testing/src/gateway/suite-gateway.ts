import { afterAll, afterEach, expect, inject } from 'vitest';
import { openPushGateway, type PushGateway } from './push-devices.ts';
import { openTestGateway, type TestGateway } from './test-gateway.ts';

/** Opens a gateway for a test file. It closes after the last test; a test that leaves an error in its log fails. */
export async function suiteGateway(options?: Parameters<typeof openTestGateway>[1]): Promise<TestGateway> {
  return closeAfterAll(await openTestGateway(inject('postgresUrl'), options));
}

/** Like {@link suiteGateway}, with a stand-in for APNs. */
export async function suitePushGateway(): Promise<PushGateway> {
  return closeAfterAll(await openPushGateway(inject('postgresUrl')));
}

function closeAfterAll<G extends TestGateway>(gateway: G): G {
  afterAll(() => gateway[Symbol.asyncDispose]());
  afterEach(() => {
    const lines = gateway.log.lines.splice(0);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
  return gateway;
}
