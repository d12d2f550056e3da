import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Clock,
  closeServices,
  createApnsProvider,
  createModelAssistant,
  createServices,
  DatabaseClock,
  type Log,
  type PushProvider,
  type Services,
} from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import { type ApnsConfig, type Config, ConfigError } from './config.ts';
import { makeFolder } from './make-folder.ts';

/** The services, on the configured database or the embedded server. */
export interface Installation {
  services: Services;
  databaseUrl: string;
  isEmbedded: boolean;
  /** A note for the operator about the location of the data. */
  note: string | null;
  /** Closes the services, then the embedded server, even if closing the services fails. */
  close(): Promise<void>;
}

/** Starts the embedded database server if none is configured, and opens the services. Does not migrate. */
export async function openInstallation(config: Config, log: Log, publicUrl: string): Promise<Installation> {
  const clock = new DatabaseClock();
  const push = config.apns && (await openApns(config.apns, clock, log));
  const database = config.databaseUrl === null ? await openEmbedded(config.dataDir, log) : null;
  const databaseUrl = config.databaseUrl ?? database!.url;
  const services = await createServices({
    databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    clock,
    log,
    rateLimitPerMinute: config.rateLimitPerMinute,
    secureCookies: publicUrl.startsWith('https:'),
    ...(config.assistant && { assistant: createModelAssistant(config.assistant) }),
    ...(push && { push }),
  }).catch(async (error: unknown) => {
    await database?.release();
    throw error;
  });
  return {
    services,
    databaseUrl,
    isEmbedded: database !== null,
    note: database?.note ?? null,
    async close() {
      try {
        await closeServices(services);
      } finally {
        await database?.release();
      }
    },
  };
}

async function openApns(config: ApnsConfig, clock: Clock, log: Log): Promise<PushProvider> {
  const { keyFile, keyId, teamId, topics, productionUrl, sandboxUrl, caFile } = config;
  return createApnsProvider({
    key: await readFile(keyFile, 'utf8'),
    keyId,
    teamId,
    ca: caFile && (await readFile(caFile, 'utf8')),
    topics,
    urls: { production: productionUrl, sandbox: sandboxUrl },
    clock,
    log,
  });
}

async function openEmbedded(dataDir: string, log: Log) {
  await makeFolder(dataDir).catch((error: Error) => {
    throw new ConfigError([
      `DATA_DIR cannot be created: ${error.message}. Set it to a folder that this user can write`,
    ]);
  });
  return openServer({ dataDir: join(dataDir, 'postgres'), log: (message) => log.info({}, message) });
}
