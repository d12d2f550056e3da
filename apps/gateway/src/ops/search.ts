import { indexPendingTexts } from '@firmdesk/domain';
import type { Command } from 'commander';
import { type OpsContext, table } from './context.ts';

/** The shortest time between two lines of progress. */
const MIN_INTERVAL_MS = 1_000;

/** Adds the command `search index`. */
export function searchCommands(program: Command, ops: OpsContext): void {
  program
    .command('search')
    .description('Maintain the search')
    .command('index')
    .description(
      'Index the texts of tickets that are pending, now instead of by a worker. Gateways and workers may run; it can be interrupted and repeated',
    )
    .option('--workspace <slug>', 'slug of the firm; otherwise all firms')
    .action(async ({ workspace }: { workspace?: string }) => {
      const started = performance.now();
      let last = started;
      const firms = await indexPendingTexts(await ops.services(), {
        workspace,
        onProgress(slug, indexed, total) {
          const now = performance.now();
          if (now - last < MIN_INTERVAL_MS) return;
          last = now;
          const perSecond = Math.round((1_000 * indexed) / (now - started));
          ops.say(`${slug}: ${indexed} of ${total} texts (${perSecond} per second)`);
        },
      });
      ops.print(
        { firms },
        table(firms as unknown as Record<string, unknown>[], ['workspace', 'indexed', 'pending']),
      );
    });
}
