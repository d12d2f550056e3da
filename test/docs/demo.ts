import { openTestGateway, type TestGateway } from '@firmdesk/gateway/testing';
import { DEMO_TOKEN, demoWorld, importWorld, type Made } from '@firmdesk/seed';

export interface DemoGateway extends TestGateway {
  made: Made;
  /** The token that the greeting prints. */
  token: string;
}

/** A gateway with the demo world, as a first start brings it. */
export async function openDemo(
  postgresUrl: string,
  options: Parameters<typeof openTestGateway>[1] = {},
): Promise<DemoGateway> {
  const gateway = await openTestGateway(postgresUrl, options);
  const made = await importWorld(gateway.services, demoWorld(gateway.clock.now()));
  return { ...gateway, made, token: made.tokens[DEMO_TOKEN]! };
}
