import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  awaitAll,
  delay,
  finishesBefore,
  isEmpty,
  type Log,
  migrate,
  type Services,
  startWorkers,
  withSetupLock,
} from '@firmdesk/domain';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, type Role } from './config.ts';
import { type DemoAccess, importDemo, openDemo } from './demo.ts';
import { StartCancelledError } from './format-fatal-error.ts';
import { type ConsoleFiles, readConsole } from './http/console.ts';
import { openInstallation } from './installation.ts';
import { createMetrics } from './metrics.ts';
import { createStatusServer } from './status-server.ts';

/** The maximum duration of a drain. Supervisors commonly kill a process 30 s after SIGTERM. */
const DRAIN_MS = 22_500;
/** The queue of connections that the process has not accepted yet. The operating system can limit it further. */
const MAX_PENDING_CONNECTIONS = 4_096;
const NEVER = new AbortController().signal;

export interface Gateway {
  url: string;
  role: Role;
  /** Whether the gateway serves the console. */
  hasConsole: boolean;
  /** The demo's credentials; null without demo data. */
  demo: DemoAccess | null;
  /** A note for the operator about the location of the data. */
  note: string | null;
  /**
   * Drains the gateway and the worker concurrently, then stops all other parts. All steps run even if one fails. When `hurry`
   * aborts, the drain ends immediately.
   */
  close(hurry?: AbortSignal): Promise<void>;
}

/**
 * Starts a gateway: database, schema, demo data, listener. If a step fails, stops the parts that were started before it.
 * `cancelSetup` cancels the setup of the database, which may wait for another process that migrates.
 */
export async function startGateway(
  config: Config,
  role: Role,
  log: Log,
  cancelSetup: AbortSignal = NEVER,
): Promise<Gateway> {
  let url = config.publicUrl ?? `http://${bracketed(config.host)}:${config.port}`;
  const installation = await openInstallation(config, log, url);
  let served: App | null = null;
  try {
    const { services } = installation;
    let demo: DemoAccess | null = null;
    const setup = withSetupLock(installation.databaseUrl, async () => {
      const applied = await migrate(services);
      if (applied.length > 0) log.info({ applied }, 'migrated');
      const wantsDemo = config.demo ?? installation.isEmbedded;
      if (wantsDemo && (await isEmpty(services))) await importDemo(services, config.dataDir);
      if (role !== 'worker') demo = await openDemo(services, config.dataDir, config.demo !== false);
    });
    if (!(await finishesBefore(cancelSetup, setup))) throw new StartCancelledError();
    const console = role === 'worker' ? null : await builtConsole(log);
    const { metrics, trustedProxies, socketsPerAddress, corsOrigins } = config;
    const acceptWhileDrainingMs = config.drainSeconds * 1_000;
    const app =
      role === 'worker'
        ? createWorkerApp(config, services)
        : createApp({
            services,
            log,
            metrics,
            trustedProxies,
            socketsPerAddress,
            corsOrigins,
            acceptWhileDrainingMs,
            publicUrl: () => url,
            console,
          });
    served = app;
    await listen(app.server, config);
    const { port } = app.server.address() as AddressInfo;
    const bound = `http://${bracketed(config.host)}:${port}`;
    url = role === 'worker' ? bound : (config.publicUrl ?? bound);
    log.info({ url, role }, 'listening');
    const worker = role === 'gateway' ? null : await startWorkers(services);
    return {
      url,
      role,
      hasConsole: console !== null,
      demo,
      note: installation.note,
      async close(hurry) {
        const drained = new AbortController();
        const cutOff = new AbortController();
        const deadline = AbortSignal.any([
          AbortSignal.timeout(DRAIN_MS),
          cutOff.signal,
          ...(hurry ? [hurry] : []),
        ]);
        // Calls and jobs that wait for an unreachable database cannot finish.
        void Promise.all([
          delay(acceptWhileDrainingMs, drained.signal),
          services.connections.untilUnreachable(drained.signal),
        ]).then(() => cutOff.abort());
        try {
          await awaitAll([app.drain(deadline), worker && finishesBefore(deadline, worker.stop())]);
        } finally {
          drained.abort();
          await installation.close();
        }
      },
    };
  } catch (error) {
    served?.server.close();
    await installation.close();
    throw error;
  }
}

async function builtConsole(log: Log): Promise<ConsoleFiles | null> {
  const console = await readConsole();
  if (!console) log.warn({}, 'the console is not served because it is not built: run `pnpm build`');
  return console;
}

/** Creates the server of a worker, which serves only health checks and metrics. */
function createWorkerApp({ metrics }: Config, services: Services): App {
  let isDraining = false;
  const server = createStatusServer({
    services,
    metrics: metrics ? createMetrics(services, () => 0) : null,
    isDraining: () => isDraining,
  });
  return {
    server,
    async drain() {
      isDraining = true;
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  // A restart lets thousands of sockets connect within seconds. Node’s default queue has room for 511.
  server.listen({ port, host, backlog: MAX_PENDING_CONNECTIONS });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    throw isUnknown
      ? new ConfigError([`HOST ${host} cannot be resolved: set it to an address or a known host name`])
      : error;
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
