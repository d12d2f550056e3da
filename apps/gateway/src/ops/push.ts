import { access } from 'node:fs/promises';
import { pushApps } from '@firmdesk/contract';
import { generateVapidKey, readVapidKey, sendTestToAccount } from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import { writePrivateFile } from '../installation/private-file.ts';
import type { OpsContext } from './context.ts';

/** Adds the commands `push-test` and `web-push-key`. */
export function pushCommands(program: Command, ops: OpsContext): void {
  program
    .command('push-test')
    .description('Queue a test push to an account’s devices. A running worker sends it')
    .requiredOption('--user <email>', 'email address of the account')
    .addOption(new Option('--app <app>', 'only to devices with this app').choices(pushApps))
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

  program
    .command('web-push-key')
    .description('Make the key that signs pushes to browsers, in a file that only its owner can read')
    .requiredOption('--out <file>', 'the file, which must not exist; WEB_PUSH_KEY_FILE names it afterwards')
    .action(async ({ out }: { out: string }) => {
      const exists = await access(out).then(
        () => true,
        () => false,
      );
      // Browsers that subscribed with a key get no pushes signed with another one.
      if (exists) throw new TypeError(`${out} exists: name another file`);
      const key = generateVapidKey();
      await writePrivateFile(out, key);
      const { publicKey } = readVapidKey(key);
      ops.print(
        { file: out, public_key: publicKey },
        `Public key: ${publicKey}\nSet WEB_PUSH_KEY_FILE to ${out}.`,
      );
    });
}
