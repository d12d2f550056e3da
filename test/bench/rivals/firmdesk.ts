import { readConfig } from '../../../apps/gateway/src/config.ts';
import { startGateway } from '../../../apps/gateway/src/gateway.ts';
import { createLogger } from '../../../apps/gateway/src/logger.ts';

/** The gateway as in production, with logs and metrics, but without a rate limit. */
const config = readConfig(
  { ...process.env, PORT: '0', RATE_LIMIT_PER_MINUTE: '0', DEMO: '0' },
  process.cwd(),
);
const gateway = await startGateway(config, 'gateway', createLogger(config.logLevel));
process.send?.({ url: gateway.url });
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)));
