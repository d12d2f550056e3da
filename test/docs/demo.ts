import { demoSeed, type ImportResult, importSeed } from '@firmdesk/seed';
import { DEMO_TOKEN } from '@firmdesk/seed/demo-account';
import { openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';

export interface DemoGateway extends TestGateway {
  imported: ImportResult;
  /** The token that the first start prints. */
  token: string;
}

/** Opens a gateway with the demo data, as a first start does. */
export async function openDemo(
  postgresUrl: string,
  options: Parameters<typeof openTestGateway>[1] = {},
): Promise<DemoGateway> {
  const gateway = await openTestGateway(postgresUrl, options);
  const imported = await importSeed(gateway.services, demoSeed(gateway.clock.now()));
  return { ...gateway, imported, token: imported.tokens[DEMO_TOKEN]! };
}
