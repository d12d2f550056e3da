import { deviceApps } from '@firmdesk/contract';
import { sendTestToAccount } from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import type { OpsContext } from './context.ts';

/** `push-test`. */
export function pushCommands(program: Command, ops: OpsContext): void {
  program
    .command('push-test')
    .description('send a test notification to an account’s devices; a running worker sends it')
    .requiredOption('--user <email>')
    .addOption(new Option('--app <app>', 'of one app alone').choices(deviceApps))
    .action(async (options) => {
      const queued = await ops.run((ctx) =>
        sendTestToAccount(ctx, { email: options.user, app: options.app }),
      );
      ops.print(queued, `Queued for ${queued.devices} ${queued.devices === 1 ? 'device' : 'devices'}.`);
      if (!ops.config().apns) ops.say('Push is not set up (APNS_…): it will be recorded, not sent.');
    });
}
