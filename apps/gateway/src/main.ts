import { parseArgs } from 'node:util';
import { banner } from './banner.ts';
import { type Role, readConfig, roles } from './config.ts';
import { faultOf } from './fault.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { createLogger } from './logger.ts';
import { onSignal } from './signals.ts';

const HELP = `Usage: pnpm start [--role ${roles.join('|')}]

Starts Firmdesk. What it needs to know it reads from the environment (README, "Configuration").
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { role: { type: 'string', default: 'all' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const role = roles.find((known) => known === values.role);
  if (!role) throw new TypeError(`--role must be one of ${roles.join(', ')}`);
  await serve(role);
}

async function serve(role: Role): Promise<void> {
  const config = readConfig(process.env, process.cwd());
  const log = createLogger(config.logLevel);
  const starting: Promise<Gateway> = startGateway(config, role, log);
  // A signal during the start waits for it, so that nothing started is left behind.
  onSignal(log, async () => (await starting).close());
  process.stdout.write(banner(await starting));
}

main().catch((error: unknown) => {
  process.stderr.write(`${faultOf(error)}\n`);
  process.exit(1);
});
