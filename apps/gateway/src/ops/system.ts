import {
  distributeFirms,
  migrate,
  ROTATE_AFTER_MINUTES,
  type Services,
  sealAgain,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';

import type { Command } from 'commander';
import { openInstallation } from '../installation/installation.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type OpsContext, positiveInteger } from './context.ts';

/** Adds the commands `migrate`, `distribute` and `rotate-secret`. */
export function systemCommands(program: Command, ops: OpsContext): void {
  program
    .command('migrate')
    .description('Migrate the database to the schema of this version')
    .option('--force', 'apply also migrations with which connected processes of earlier versions fail', false)
    .action(async ({ force }: { force: boolean }) => {
      const config = ops.config();
      const installation = await openInstallation(config, createLogger('warn'));
      try {
        const { services, databaseUrl } = installation;
        const log: Services['log'] = {
          info: (_fields, message) => ops.say(message),
          warn: (fields, message) => services.log.warn(fields, message),
          error: (fields, message) => services.log.error(fields, message),
        };
        const applied = await withSetupLock(databaseUrl, () =>
          migrate({ ...services, log }, { isForced: force }),
        );
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
      const services = await ops.services();
      await withTransaction(services, sealAgain);
      if (!(await services.secret.rotate()))
        throw new TypeError(
          `The last rotation was less than ${ROTATE_AFTER_MINUTES} minutes ago: try again later`,
        );
      ops.print({ rotated: true }, 'The secret is replaced. Processes use the new one within a minute.');
    });
}
