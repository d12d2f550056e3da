import { listAuditEvents } from '@firmdesk/domain';
import type { Command } from 'commander';
import { type OpsContext, positiveInteger, table } from '../context.ts';

/** Adds the command `audit list`. */
export function auditCommands(program: Command, ops: OpsContext): void {
  program
    .command('audit')
    .description('Read the audit trail')
    .command('list')
    .description('List the latest sign-ins and changes of accounts, tokens, macros and firms, newest first')
    .option('--firm <slug>', 'only those of a firm, or of "platform": whole accounts and the installation')
    .option(
      '--target <id>',
      'only those of an account (usr_…), a token (key_…), a firm (its slug), a macro (mac_…) or a ticket (tkt_…)',
    )
    .option('--action <name>', 'only those of an action, such as user.sign_in_failed')
    .option('--limit <n>', 'at most this many', positiveInteger, 100)
    .action(
      async ({
        firm,
        target,
        action,
        limit,
      }: {
        firm?: string;
        target?: string;
        action?: string;
        limit: number;
      }) => {
        const events = await ops.run((ctx) =>
          listAuditEvents(ctx, { workspace: firm, target, action, limit }),
        );
        ops.print(
          events,
          table(
            events.map(({ before, after, ...event }) => ({
              ...event,
              actor: event.actor ?? event.actor_kind,
              before: before && JSON.stringify(before),
              after: after && JSON.stringify(after),
            })),
            ['created_at', 'workspace', 'actor', 'action', 'target_id', 'before', 'after'],
          ),
        );
      },
    );
}
