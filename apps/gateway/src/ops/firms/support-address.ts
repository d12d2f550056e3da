import { addSupportAddress, listSupportAddresses, removeSupportAddress } from '@firmdesk/domain';
import type { Command } from 'commander';
import { type OpsContext, table } from '../context.ts';

/** Adds the commands `support-address`. */
export function supportAddressCommands(program: Command, ops: OpsContext): void {
  const address = program
    .command('support-address')
    .description('Manage the addresses of a firm to which mail opens tickets');
  address
    .command('add')
    .description(
      'Let mail to an address open tickets, and replies to it continue them. Other mail stays in its mailbox, which is created unless the firm has it; without a reader, such mail is refused',
    )
    .requiredOption('--firm <slug>', 'slug of the firm')
    .requiredOption('--email <address>', 'address')
    .option(
      '--anyone',
      'a sender who is no member of the firm becomes a trader of it (default: their mail stays mail)',
    )
    .option('--reader <email...>', 'members of the firm who read the mailbox and write from it')
    .action(async ({ firm, email, anyone, reader }) => {
      const senders = anyone ? ('anyone' as const) : ('members' as const);
      await ops.run((ctx) => addSupportAddress(ctx, { firm, email, senders, readers: reader ?? [] }));
      ops.print({ firm, email, senders }, `Mail to ${email} opens tickets of ${firm}.`);
    });
  address
    .command('list')
    .description('List the addresses of a firm to which mail opens tickets')
    .requiredOption('--firm <slug>', 'slug of the firm')
    .action(async ({ firm }) => {
      const addresses = await ops.run((ctx) => listSupportAddresses(ctx, firm));
      ops.print(
        addresses,
        table(
          addresses.map((each) => ({ ...each })),
          ['email', 'senders', 'readers'],
        ),
      );
    });
  address
    .command('remove')
    .description('Let mail to an address stay mail. Its mailbox and its tickets stay')
    .requiredOption('--firm <slug>', 'slug of the firm')
    .requiredOption('--email <address>', 'address')
    .action(async ({ firm, email }) => {
      await ops.run((ctx) => removeSupportAddress(ctx, { firm, email }));
      ops.print({ firm, email }, `Mail to ${email} opens no tickets any more.`);
    });
}
