import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  awaitAll,
  delay,
  findFirmServers,
  finishesBefore,
  isEmpty,
  type Log,
  migrate,
  type Services,
  startWorkers,
  withSetupLock,
} from '@firmdesk/domain';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, publicUrlOf, type Role } from './config.ts';
import { type ConsoleFiles, readConsole } from './http/console.ts';
import type { Health } from './http/health.ts';
import { type DemoAccess, importDemo, openDemo } from './installation/demo.ts';
import { openInstallation } from './installation/installation.ts';
import { type MailListener, startMailListener } from './mail-listener/mail-listener.ts';
import { watchFileDescriptors } from './process/file-descriptors.ts';
import { StartCancelledError } from './process/format-fatal-error.ts';
import { createStatusServer } from './status-server.ts';
import { createMetrics } from './telemetry/metrics.ts';

/** The maximum duration of a drain. Supervisors commonly kill a process 30 s after SIGTERM. */
const DRAIN_MS = 22_500;
/** The queue of connections that the process has not accepted yet. The operating system can limit it further. */
const MAX_PENDING_CONNECTIONS = 4_096;
const NO_TRUSTED_PROXIES =
  'PUBLIC_URL is https, so a proxy is in front, but TRUSTED_PROXIES is not set: all clients share the limits of the proxy’s address';
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
  /** Reads the files with keys again. */
  reload(): Promise<void>;
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
  let url = publicUrlOf(config);
  const installation = await openInstallation(config, log, {
    publicUrl: () => url,
    runsJobs: role !== 'gateway',
  });
  let served: App | null = null;
  let status: Server | null = null;
  const mailListeners: MailListener[] = [];
  let stopFileWatch = () => {};
  try {
    const { services } = installation;
    let demo: DemoAccess | null = null;
    const setup = withSetupLock(installation.databaseUrl, async () => {
      const applied = await migrate(services);
      if (applied.length > 0) log.info({ applied }, 'migrated');
      services.firmServers = await findFirmServers(services.pool);
      const wantsDemo = config.demo ?? installation.isEmbedded;
      if (wantsDemo && (await isEmpty(services))) await importDemo(services, config.dataDir);
      if (role !== 'worker') demo = await openDemo(services, config.dataDir, config.demo !== false);
    });
    if (!(await finishesBefore(cancelSetup, setup))) throw new StartCancelledError();
    const console = role === 'worker' ? null : await builtConsole(log);
    const { metrics, trustedProxies, socketsPerAddress, corsOrigins } = config;
    const servesHealth = config.metricsPort === null;
    const acceptWhileDrainingMs = config.drainSeconds * 1_000;
    const app =
      role === 'worker'
        ? createWorkerApp(config, services, log)
        : createApp({
            services,
            log,
            metrics,
            servesHealth,
            trustedProxies,
            socketsPerAddress,
            corsOrigins,
            acceptWhileDrainingMs,
            console,
          });
    served = app;
    await listen(app.server, config.port, config.host);
    const { port } = app.server.address() as AddressInfo;
    if (config.metricsPort !== null) {
      status = createStatusServer(app.health);
      await listen(status, config.metricsPort, config.host);
    }
    for (const options of role === 'worker' ? [] : config.mailListeners)
      mailListeners.push(await startMailListener(services, log, options));
    stopFileWatch = watchFileDescriptors(log);
    warnOfProxy(config, role, log);
    url = publicUrlOf({ ...config, port });
    // A worker has a URL of its own, only for health and metrics.
    const listensAt = role === 'worker' ? publicUrlOf({ ...config, port, publicUrl: null }) : url;
    log.info({ url: listensAt, role }, 'listening');
    const worker = role === 'gateway' ? null : await startWorkers(services);
    return {
      url: listensAt,
      role,
      hasConsole: console !== null,
      demo,
      note: installation.note,
      reload: () => installation.reload(),
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
          await awaitAll([
            finishesBefore(deadline, app.drain(deadline)),
            ...mailListeners.map((listener) => finishesBefore(deadline, listener.drain(deadline))),
            worker && finishesBefore(deadline, worker.stop()),
          ]);
        } finally {
          drained.abort();
          stopFileWatch();
          closeNow(status);
          await installation.close();
        }
      },
    };
  } catch (error) {
    stopFileWatch();
    served?.server.close();
    await Promise.all(mailListeners.map((listener) => listener.drain(AbortSignal.abort())));
    closeNow(status);
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
function createWorkerApp({ metrics }: Config, services: Services, log: Log): App {
  let isDraining = false;
  const health: Health = {
    services,
    log,
    metrics: metrics ? createMetrics(services, () => 0) : null,
    isDraining: () => isDraining,
  };
  const server = createStatusServer(health);
  return {
    server,
    health,
    async drain() {
      isDraining = true;
      closeNow(server);
    },
  };
}

/** Stops a server that serves only health and metrics. */
function closeNow(server: Server | null): void {
  server?.close();
  server?.closeAllConnections();
}

/** Without trusted proxies, all clients of a proxy count as one address. */
function warnOfProxy({ publicUrl, trustedProxies }: Config, role: Role, log: Log): void {
  const trustsNone = 'hops' in trustedProxies && trustedProxies.hops === 0;
  if (role !== 'worker' && publicUrl?.startsWith('https:') && trustsNone) log.warn({}, NO_TRUSTED_PROXIES);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
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
