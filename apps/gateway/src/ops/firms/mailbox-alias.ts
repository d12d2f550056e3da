import { addMailboxAlias, listMailboxAliases, removeMailboxAlias } from '@firmdesk/domain';
import type { Command } from 'commander';
import type { OpsContext } from '../context.ts';

/** Adds the commands `mailbox-alias`. */
export function mailboxAliasCommands(program: Command, ops: OpsContext): void {
  const alias = program.command('mailbox-alias').description('Manage further addresses of mailboxes');
  alias
    .command('add')
    .description('Give a mailbox another address, at which it gets mail too. It still writes from its own')
    .requiredOption('--mailbox <email>', 'an address of the mailbox')
    .requiredOption('--address <email>', 'the further address')
    .action(async ({ mailbox, address }) => {
      await ops.run((ctx) => addMailboxAlias(ctx, { mailbox, address }));
      ops.print({ mailbox, address }, `Mail to ${address} goes to ${mailbox}.`);
    });
  alias
    .command('list')
    .description('List the further addresses of a mailbox')
    .requiredOption('--mailbox <email>', 'an address of the mailbox')
    .action(async ({ mailbox }) => {
      const aliases = await ops.run((ctx) => listMailboxAliases(ctx, mailbox));
      ops.print(aliases, aliases.length > 0 ? aliases.join('\n') : 'None.');
    });
  alias
    .command('remove')
    .description('Take a further address from its mailbox: mail to it is refused from then on')
    .requiredOption('--address <email>', 'the further address')
    .action(async ({ address }) => {
      await ops.run((ctx) => removeMailboxAlias(ctx, address));
      ops.print({ address }, `Mail to ${address} is refused.`);
    });
}
