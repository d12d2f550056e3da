import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  closeServices,
  commandScanner,
  createServices,
  DatabaseClock,
  defaultConnections,
  divideConnections,
  FEWEST_CONNECTIONS,
  folderStore,
  type Log,
  type ObjectStore,
  openObjectStore,
  type PoolSizes,
  ReloadableBrowserPush,
  readServerLimit,
  type Services,
} from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import { exportFirm } from '@firmdesk/seed';
import { type Config, ConfigError } from '../config.ts';
import { ReloadableMailServer } from './mail-server.ts';
import { makeFolder } from './make-folder.ts';
import { ReloadableAssistant, ReloadablePush } from './reloadable.ts';

/** The services, on the configured database or the embedded server. */
export interface Installation {
  services: Services;
  databaseUrl: string;
  isEmbedded: boolean;
  /** A note for the operator about the location of the data. */
  note: string | null;
  /** Reads the files with keys again. Logs a file that cannot be used, and keeps its last key. */
  reload(): Promise<void>;
  /** Closes the services, then the embedded server, even if closing the services fails. */
  close(): Promise<void>;
}

/** Starts the embedded database server if none is configured, and opens the services. Does not migrate. */
export async function openInstallation(
  config: Config,
  log: Log,
  { publicUrl = () => '', runsJobs = false }: { publicUrl?: () => string; runsJobs?: boolean } = {},
): Promise<Installation> {
  const clock = new DatabaseClock();
  const push = config.apns && (await ReloadablePush.open(config.apns, clock, log));
  const { webPushKeyFile } = config;
  const browserPush =
    webPushKeyFile === null
      ? null
      : await ReloadableBrowserPush.open({
          readKey: () => readFile(webPushKeyFile, 'utf8'),
          publicUrl,
          clock,
        });
  const assistant = config.assistant && (await ReloadableAssistant.open(config.assistant));
  const mailServer = config.smtp && (await ReloadableMailServer.open(config.smtp, config.mailDomains, log));
  const database = config.databaseUrl === null ? await openEmbedded(config.dataDir, log) : null;
  const databaseUrl = config.databaseUrl ?? database!.socketUrl;
  const release = async (error: unknown) => {
    await database?.release();
    throw error;
  };
  const poolSizes = await poolSizesOf(config, databaseUrl, runsJobs).catch(release);
  const services = await createServices({
    databaseUrl,
    poolSizes,
    replicaUrl: config.databaseReplicaUrl,
    clock,
    log,
    rateLimitPerMinute: config.rateLimitPerMinute,
    limitsSignIns: config.limitsSignIns,
    publicUrl,
    objects: objectStoreOf(config),
    scanner: config.scanCommand === null ? null : commandScanner(config.scanCommand),
    allowsLoopbackWebhooks: config.allowsLoopbackWebhooks,
    singleSignOn: { allowsPrivateProviders: config.allowsPrivateProviders, dnsServers: [] },
    secureCookies: publicUrl().startsWith('https:'),
    mail: { domains: config.mailDomains, server: mailServer },
    exportFirm,
    ...(assistant && { assistant }),
    ...(push && { push }),
    browserPush,
  }).catch(release);
  return {
    services,
    databaseUrl,
    isEmbedded: database !== null,
    note: database?.note ?? null,
    async reload() {
      for (const [part, reloadable] of Object.entries({ push, browserPush, assistant, mail: mailServer })) {
        try {
          await reloadable?.reload();
          if (reloadable) log.info({ part }, 'read the key again');
        } catch (error) {
          log.error({ part, err: error }, 'the key cannot be read again; the last one is used');
        }
      }
    },
    async close() {
      try {
        await closeServices(services);
      } finally {
        await database?.release();
      }
    },
  };
}

/** Returns where files of messages are stored. Connects to nothing. */
export function objectStoreOf({ objectStoreUrl, dataDir }: Config): ObjectStore {
  return objectStoreUrl === null
    ? folderStore(join(dataDir, 'attachments'))
    : openObjectStore(objectStoreUrl);
}

/** Divides the configured connections among the purposes of the process. By default it takes a sixth of what the server has. */
async function poolSizesOf(
  { databasePoolMax }: Config,
  databaseUrl: string,
  runsJobs: boolean,
): Promise<PoolSizes> {
  const fewest = runsJobs ? FEWEST_CONNECTIONS.withJobs : FEWEST_CONNECTIONS.withoutJobs;
  if (databasePoolMax !== null && databasePoolMax < fewest)
    throw new ConfigError([
      `DATABASE_POOL_MAX must be at least ${fewest}: a process that runs jobs needs ${FEWEST_CONNECTIONS.withJobs} connections, one that does not (--role gateway) ${FEWEST_CONNECTIONS.withoutJobs}`,
    ]);
  const max = databasePoolMax ?? defaultConnections(await readServerLimit(databaseUrl), fewest);
  return divideConnections(max, runsJobs);
}

async function openEmbedded(dataDir: string, log: Log) {
  await makeFolder(dataDir).catch((error: Error) => {
    throw new ConfigError([
      `DATA_DIR cannot be created: ${error.message}. Set it to a folder that this user can write`,
    ]);
  });
  return openServer({ dataDir: join(dataDir, 'postgres'), log: (message) => log.info({}, message) });
}
