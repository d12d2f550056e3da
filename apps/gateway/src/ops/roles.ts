import { accountStatements, createAccounts, type DatabaseAccounts, ensureOurs } from '@firmdesk/domain';
import type { Command } from 'commander';
import { openInstallation } from '../installation/installation.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { OpsContext } from './context.ts';

/** Adds the command `roles`. */
export function rolesCommand(program: Command, ops: OpsContext): void {
  program
    .command('roles')
    .description(
      'Print the statements that separate the account that migrates from the account of the service, which only reads and writes rows',
    )
    .option('--owner <name>', 'the account that owns the tables and migrates', 'firmdesk_owner')
    .option('--runtime <name>', 'the account of the service', 'firmdesk')
    .option('--apply', 'run the statements; DATABASE_URL must be of an administrator of the database')
    .action(async ({ apply, ...accounts }: DatabaseAccounts & { apply?: boolean }) => {
      const config = { ...ops.config(), apns: null };
      const installation = await openInstallation(config, createLogger('warn'));
      try {
        const { services } = installation;
        await ensureOurs(services);
        const { pool } = services;
        const statements = await accountStatements(pool, accounts);
        if (apply) await createAccounts(pool, statements);
        const text = statements.map((statement) => `${statement};`).join('\n');
        ops.print({ ...accounts, applied: apply === true, statements }, text);
        if (apply)
          ops.say(
            `Applied. Set passwords with \\password in psql, migrate with the account ${accounts.owner}, and start the service with ${accounts.runtime}.`,
          );
      } finally {
        await installation.close();
      }
    });
}
