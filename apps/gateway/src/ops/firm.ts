import { addWorkspace, listWorkspaces } from '@firmdesk/domain';
import type { Command } from 'commander';
import { type OpsContext, table } from './context.ts';

/** Adds the commands `firm`. */
export function firmCommands(program: Command, ops: OpsContext): void {
  const firm = program.command('firm').description('Manage firms');
  firm
    .command('add')
    .description('Add a firm')
    .requiredOption('--slug <slug>', 'slug of the firm, part of its addresses')
    .requiredOption('--name <name>', 'name that people see')
    .action(async (options) => {
      const { id, slug, name } = await ops.run((ctx) => addWorkspace(ctx, options));
      ops.print({ id, slug, name }, `Added ${slug}.`);
    });
  firm
    .command('list')
    .description('List the firms')
    .action(async () => {
      const firms = await ops.run((ctx) => listWorkspaces(ctx));
      ops.print(
        firms,
        table(
          firms.map((firm) => ({ ...firm })),
          ['slug', 'name', 'members'],
        ),
      );
    });
}
