import { parseArgs } from 'node:util';
import { type Role, readConfig, roles } from './config.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { banner } from './process/banner.ts';
import { formatFatalError } from './process/format-fatal-error.ts';
import { onSignal } from './process/signals.ts';
import { createLogger } from './telemetry/logger.ts';

const HELP = `Usage: pnpm start [--role ${roles.join('|')}]

Starts Firmdesk. It reads its configuration from the environment (docs/operations/configuration.md).
`;

type Environment = Parameters<typeof readConfig>[0];

/** How long a signal during the start waits for the start to finish. */
const START_MS = 20_000;
/** The same code as in `ops`. */
const USAGE_ERROR = 2;

/**
 * Starts the process as its arguments say. Resolves when it listens, or has nothing to start. Calls back once it handles signals
 * itself.
 */
export async function start(env: Environment, onReady: () => void): Promise<void> {
  const role = readRole();
  if (role) await serve(role, env, onReady);
}

/** Reads the role from the arguments. Prints the help or an error and returns null if there is nothing to start. */
function readRole(): Role | null {
  try {
    const { values } = parseArgs({
      options: { role: { type: 'string', default: 'all' }, help: { type: 'boolean' } },
    });
    if (!values.help) {
      const role = roles.find((known) => known === values.role);
      if (role) return role;
      throw new TypeError(`--role must be one of ${roles.join(', ')}`);
    }
    process.stdout.write(HELP);
  } catch (error) {
    process.stderr.write(`${formatFatalError(error)}\n\n${HELP}`);
    process.exitCode = USAGE_ERROR;
  }
  return null;
}

async function serve(role: Role, env: Environment, onReady: () => void): Promise<void> {
  const config = readConfig(env, process.cwd());
  const telemetry = config.otlpEndpoint
    ? (await import('./telemetry/telemetry.ts')).startTelemetry(role)
    : null;
  const log = createLogger(config.logLevel, telemetry);
  const cancelSetup = new AbortController();
  const starting: Promise<Gateway> = startGateway(config, role, log, cancelSetup.signal);
  // A signal during the start waits for it, and then stops every part. A migration that takes too long is cancelled.
  onSignal(log, async (hurry) => {
    const late = AbortSignal.any([hurry, AbortSignal.timeout(START_MS)]);
    late.addEventListener('abort', () => cancelSetup.abort(), { once: true });
    await (await starting).close(hurry);
    await telemetry?.close();
  });
  onReady();
  const gateway = await starting;
  // A terminal that closes sends SIGHUP to end its processes.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void gateway.reload());
  process.stdout.write(banner(gateway));
}
