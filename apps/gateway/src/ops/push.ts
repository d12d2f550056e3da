import { deviceApps } from '@firmdesk/contract';
import { sendTestToAccount } from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import type { OpsContext } from './context.ts';

/** Adds the command `push-test`. */
export function pushCommands(program: Command, ops: OpsContext): void {
  program
    .command('push-test')
    .description('Queue a test push to an account’s devices. A running worker sends it')
    .requiredOption('--user <email>', 'email address of the account')
    .addOption(new Option('--app <app>', 'only to devices with this app').choices(deviceApps))
    .action(async (options) => {
      const queued = await ops.run((ctx) =>
        sendTestToAccount(ctx, { email: options.user, app: options.app }),
      );
      ops.print(queued, `Queued for ${queued.devices} ${queued.devices === 1 ? 'device' : 'devices'}.`);
      if (!ops.config().apns)
        ops.say(
          'Push is not configured: the push is recorded and not sent. Set the APNS_… variables to send pushes.',
        );
    });
}
