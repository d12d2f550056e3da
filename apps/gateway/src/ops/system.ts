import { access, constants } from 'node:fs/promises';
import {
  distributeFirms,
  migrate,
  pendingMigrations,
  queryPool,
  ROTATE_AFTER_MINUTES,
  rotateInstallationSecret,
  withSetupLock,
} from '@firmdesk/domain';
import type { Command } from 'commander';
import { formatFatalError } from '../format-fatal-error.ts';
import { openInstallation } from '../installation.ts';
import { createLogger } from '../logger.ts';
import { readAssistantKey } from '../reloadable.ts';
import { type OpsContext, positiveInteger, table } from './context.ts';

/** Adds the commands `migrate`, `distribute`, `rotate-secret` and `check`. */
export function systemCommands(program: Command, ops: OpsContext): void {
  program
    .command('migrate')
    .description('Migrate the database to the schema of this version')
    .action(async () => {
      const config = ops.config();
      const installation = await openInstallation(config, createLogger('warn'), '');
      try {
        const applied = await withSetupLock(installation.databaseUrl, () => migrate(installation.services));
        ops.print({ applied }, applied.length > 0 ? applied.join('\n') : 'The schema is up to date.');
      } finally {
        await installation.close();
      }
    });

  program
    .command('distribute')
    .description(
      'Distribute the firms over the servers of a Citus cluster. Run it while no gateway and no worker runs; it can be repeated',
    )
    .option(
      '--shards <n>',
      'shards of each table, which can be moved between servers: more than servers ever',
      positiveInteger,
      32,
    )
    .action(async ({ shards }: { shards: number }) => {
      const services = await ops.services();
      const result = await withSetupLock(services.databaseUrl, () =>
        distributeFirms(services, {
          shards,
          onProgress: (message, done, total) => ops.say(`${done + 1}/${total} ${message}`),
        }),
      );
      const { servers, distributed } = result;
      ops.print(
        result,
        distributed.length > 0
          ? `Distributed ${distributed.length} tables over ${servers} servers.`
          : `All tables are already distributed over ${servers} servers.`,
      );
    });

  program
    .command('rotate-secret')
    .description(
      'Replace the secret that signs cursors and known devices. What the last one signed stays valid until the next rotation',
    )
    .action(async () => {
      if (!(await rotateInstallationSecret(await ops.services())))
        throw new TypeError(
          `The last rotation was less than ${ROTATE_AFTER_MINUTES} minutes ago: try again later`,
        );
      ops.print({ rotated: true }, 'The secret is replaced. Processes use the new one within a minute.');
    });

  program
    .command('check')
    .description('Check the configuration and the connections. Changes nothing')
    .action(async () => {
      const results: { check: string; ok: boolean; detail: string }[] = [];
      const check = async (name: string, run: () => Promise<string>) => {
        try {
          results.push({ check: name, ok: true, detail: await run() });
        } catch (error) {
          results.push({ check: name, ok: false, detail: formatFatalError(error) });
        }
      };
      await check('configuration', async () => {
        ops.config();
        return 'valid';
      });
      if (results[0]!.ok) await checkConnections(ops, check);
      ops.print(
        results,
        table(
          results.map((result) => ({ ...result, ok: result.ok ? 'ok' : 'FAILED' })),
          ['check', 'ok', 'detail'],
        ),
      );
      if (results.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

async function checkConnections(
  ops: OpsContext,
  check: (name: string, run: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const config = ops.config();
  await check('database', async () => {
    const installation = await openInstallation(config, createLogger('silent'), '');
    try {
      const { rows } = await queryPool<{ version: string; ctype: string }>(
        installation.services.pool,
        `select current_setting('server_version') as version, datctype as ctype from pg_database where datname = current_database()`,
      );
      const pending = await pendingMigrations(installation.services);
      const { version, ctype } = rows[0]!;
      return [
        `PostgreSQL ${version}, ${installation.isEmbedded ? 'embedded' : 'DATABASE_URL'}`,
        pending.length > 0 ? `pending migrations: ${pending.length}` : 'schema up to date',
        // With LC_CTYPE C, pg_trgm ignores letters outside ASCII.
        ...(ctype === 'C' || ctype === 'POSIX'
          ? [`LC_CTYPE is ${ctype}: search ignores letters outside ASCII`]
          : []),
      ].join(', ');
    } finally {
      await installation.close();
    }
  });
  await check('push', async () => {
    if (!config.apns) return 'not configured: pushes are recorded and not sent';
    await access(config.apns.keyFile, constants.R_OK);
    if (config.apns.caFile) await access(config.apns.caFile, constants.R_OK);
    return `key ${config.apns.keyId} of team ${config.apns.teamId}`;
  });
  await check('assistant', async () => {
    if (!config.assistant) return 'demo assistant';
    const { baseUrl, model } = config.assistant;
    const apiKey = await readAssistantKey(config.assistant);
    const response = await fetch(`${baseUrl}/models`, {
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      signal: AbortSignal.timeout(5_000),
    });
    if (response.status === 401 || response.status === 403)
      throw new TypeError('ASSISTANT_API_KEY is rejected by ASSISTANT_BASE_URL');
    return `${model} at ${baseUrl}`;
  });
}
