import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createStaffReads } from '../access/audit/record-staff-read.ts';
import { tokenToucher } from '../access/tokens/authenticate.ts';
import { tokenFinder } from '../access/tokens/find-token.ts';
import type { Assistant } from '../assistant/assistant.ts';
import { createAssistantMetrics } from '../assistant/assistant-metrics.ts';
import { demoAssistant } from '../assistant/demo-assistant.ts';
import { DeltaWriter } from '../assistant/runs/delta-writer.ts';
import { ticketAssistant } from '../assistant/runs/ticket-assistant.ts';
import type { Scanner } from '../attachments/scanner.ts';
import type { MailSettings } from '../mail/sending/mail-server.ts';
import { UnreadCounts } from '../notifications/unread-counts.ts';
import { ConnectionWatch } from '../platform/connections/connection-watch.ts';
import { LARGEST_POOLS, type PoolSizes } from '../platform/connections/pool-sizes.ts';
import { noReplica, Replica } from '../platform/database/connections/replica.ts';
import { createSearchPool } from '../platform/database/connections/search-pool.ts';
import { createStatusPool } from '../platform/database/connections/status-pool.ts';
import { createDatabase } from '../platform/database/database.ts';
import { oneServer } from '../platform/database/firm-servers.ts';
import { Live } from '../platform/events/live.ts';
import { createSignals } from '../platform/events/signals/signals.ts';
import { awaitAll, finishesBefore } from '../platform/jobs/await-steps.ts';
import { createJobMetrics } from '../platform/jobs/job-metrics.ts';
import { folderStore } from '../platform/objects/folder-store.ts';
import type { ObjectStore } from '../platform/objects/object-store.ts';
import { Presence } from '../platform/presence/presence.ts';
import { type Clock, DatabaseClock } from '../platform/process/clock.ts';
import { InstallationSecret } from '../platform/process/installation-secret.ts';
import { type Log, silentLog } from '../platform/process/log.ts';
import type { Services } from '../platform/services.ts';
import { createLimits } from '../procedures/limits.ts';
import { Shares } from '../procedures/shares.ts';
import { createPushMetrics } from '../push/push-metrics.ts';
import { type BrowserPushProvider, disabledProvider, type PushProvider } from '../push/push-provider.ts';
import { ticketInbox, ticketMailer } from '../ticket-mail/index.ts';
import { createTicketCounts } from '../tickets/list/count-tickets.ts';
import { createViewCounts } from '../tickets/views/count-ticket-views.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

export interface ServicesOptions {
  databaseUrl: string;
  /** A streaming replica for searches and lists. */
  replicaUrl?: string | null;
  /** The limits of the pools, by default {@link LARGEST_POOLS}. */
  poolSizes?: Partial<PoolSizes>;
  /** By default a {@link DatabaseClock}, which the heartbeat corrects. */
  clock?: Clock;
  log?: Log;
  /** By default empty. See {@link Services.publicUrl}. */
  publicUrl?: () => string;
  /** Calls per token and minute; 0 for no limit. */
  rateLimitPerMinute?: number;
  /** Whether attempts to guess passwords are limited (true). */
  limitsSignIns?: boolean;
  secureCookies?: boolean;
  /** By default a folder for temporary files, which is enough for tests. */
  objects?: ObjectStore;
  /** By default files are not scanned. */
  scanner?: Scanner | null;
  /** By default the demo assistant. */
  assistant?: Assistant;
  /** By default mail is only delivered to mailboxes of the installation. */
  mail?: MailSettings;
  /** Whether webhooks may be sent to this machine: for development (no). */
  allowsLoopbackWebhooks?: boolean;
  /** By default no provider of single sign-on at a private address. */
  singleSignOn?: Services['singleSignOn'];
  /** Writes a firm as an import file; by default the process cannot. */
  exportFirm?: Services['exportFirm'];
  /** By default pushes are only recorded in the outbox. */
  push?: PushProvider;
  /** By default no pushes to browsers. */
  browserPush?: BrowserPushProvider | null;
}

/** Creates the services of this process. Connections open on first use. */
export async function createServices(options: ServicesOptions): Promise<Services> {
  const log = options.log ?? silentLog;
  const { databaseUrl } = options;
  const poolSizes = { ...LARGEST_POOLS, ...options.poolSizes };
  const clock = options.clock ?? new DatabaseClock();
  const connections = new ConnectionWatch({
    databaseUrl,
    schema: migrations.at(-1)!.name,
    log,
    ...(clock instanceof DatabaseClock && { onDatabaseTime: (...times) => clock.correct(...times) }),
  });
  const database = await createDatabase({
    entities,
    migrations,
    url: databaseUrl,
    poolMax: poolSizes.main,
    connections,
    log,
  });
  const signals = createSignals({ databaseUrl, connections, log });
  const { pool } = database;
  const services = {
    ...database,
    databaseUrl,
    connections,
    clock,
    log,
    secret: new InstallationSecret(pool),
    findToken: tokenFinder(pool),
    touchToken: tokenToucher(pool),
    publicUrl: options.publicUrl ?? (() => ''),
    limits: createLimits({
      callsPerMinute: options.rateLimitPerMinute ?? 0,
      limitsSignIns: options.limitsSignIns ?? true,
      clock,
    }),
    poolSizes,
    searchPool:
      poolSizes.search > 0 ? createSearchPool(databaseUrl, poolSizes.search, connections, log) : pool,
    replica: options.replicaUrl ? new Replica(options.replicaUrl, pool, connections, log) : noReplica,
    firmServers: oneServer(pool),
    metricsPool: poolSizes.metrics > 0 ? createMetricsPool(databaseUrl, connections, log) : pool,
    objects: options.objects ?? folderStore(join(tmpdir(), 'firmdesk-objects')),
    signals,
    presence: new Presence(signals),
    keyLocks: new Map(),
    callingAccounts: new Shares(2),
    // An account alone leaves one to its colleagues, and a firm alone one to others.
    callingFirms: new Shares(1),
    staffReads: createStaffReads(),
    prunedRows: new Map(),
    ticketCounts: createTicketCounts(),
    viewCounts: createViewCounts(),
    ticketAssistant,
    ticketInbox,
    ticketMailer,
    assistant: options.assistant ?? demoAssistant,
    assistantMetrics: createAssistantMetrics(),
    jobMetrics: createJobMetrics(),
    scanner: options.scanner ?? null,
    mail: options.mail ?? { domains: [], server: null },
    webhooks: { allowsLoopback: options.allowsLoopbackWebhooks ?? false, attemptMs: 10_000, running: 0 },
    singleSignOn: options.singleSignOn ?? { allowsPrivateProviders: false, dnsServers: [] },
    push: options.push ?? disabledProvider(log),
    browserPush: options.browserPush ?? null,
    pushMetrics: createPushMetrics(),
    pushSender: null,
    exportFirm: options.exportFirm ?? null,
    secureCookies: options.secureCookies ?? false,
  };
  const live = new Live(services);
  return Object.assign(services, {
    live,
    unreadCounts: new UnreadCounts(live),
    deltaWriter: new DeltaWriter(services),
  });
}

function createMetricsPool(databaseUrl: string, connections: ConnectionWatch, log: Log): Pool {
  const pool = createStatusPool(databaseUrl, 'metrics', log);
  connections.addPool(pool);
  return pool;
}

/** How long connections may take to close. */
const CLOSE_MS = 1_500;

/**
 * Closes all services concurrently, then throws their failures. Connections that do not close in time are destroyed; if the
 * database is unreachable, immediately.
 */
export async function closeServices(services: Services): Promise<void> {
  const { live, signals, push, searchPool, metricsPool, orm, pool, connections, log } = services;
  live.close();
  services.presence.close();
  const parts = {
    signals: signals.close(),
    push: push.close(),
    mail: services.mail.server?.close(),
    search: searchPool === pool ? null : searchPool.end(),
    replica: services.replica.pool?.end(),
    metrics: metricsPool === pool ? null : metricsPool.end(),
    database: orm.close(true).then(() => endPool(pool)),
    heartbeat: connections.close(),
  };
  const deadline = AbortSignal.timeout(connections.isUnreachable ? 0 : CLOSE_MS);
  try {
    await awaitAll(
      Object.entries(parts).map(async ([part, closed]) => {
        if (closed && !(await finishesBefore(deadline, closed)))
          log.warn({ part }, 'connections did not close in time');
      }),
    );
  } finally {
    connections.destroyAll();
  }
}

/** Ends a pool that only direct queries have used; the ORM leaves it open. */
async function endPool(pool: Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}

/** Returns the state of each pool for metrics. */
export function poolGauges(
  services: Services,
): Record<string, { total: number; idle: number; waiting: number }> {
  const { pool, searchPool, connections, metricsPool, replica } = services;
  const pools = {
    calls: pool,
    search: searchPool,
    readiness: connections.readinessPool,
    metrics: metricsPool,
    ...(replica.pool && { replica: replica.pool }),
  };
  return Object.fromEntries(
    Object.entries(pools).map(([name, { totalCount: total, idleCount: idle, waitingCount: waiting }]) => [
      name,
      { total, idle, waiting },
    ]),
  );
}
