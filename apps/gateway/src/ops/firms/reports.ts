import { rebuildReports } from '@firmdesk/domain';
import type { Command } from 'commander';
import { type OpsContext, table } from '../context.ts';

/** The shortest time between two lines of progress. */
const MIN_INTERVAL_MS = 1_000;

/** Adds the command `reports rebuild`. */
export function reportsCommands(program: Command, ops: OpsContext): void {
  program
    .command('reports')
    .description('Maintain the reports')
    .command('rebuild')
    .description(
      'Count the figures of all days again, as the worker does every night. Gateways and workers may run; it can be interrupted and repeated',
    )
    .option('--workspace <slug>', 'slug of the firm; otherwise all firms')
    .action(async ({ workspace }: { workspace?: string }) => {
      let last = performance.now();
      const firms = await rebuildReports(await ops.services(), {
        workspace,
        onProgress(slug, days, total) {
          const now = performance.now();
          if (now - last < MIN_INTERVAL_MS) return;
          last = now;
          ops.say(`${slug}: ${days} of ${total} days`);
        },
      });
      ops.print({ firms }, table(firms as unknown as Record<string, unknown>[], ['workspace', 'days']));
    });
}
