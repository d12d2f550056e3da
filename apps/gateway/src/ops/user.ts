import { permissions } from '@firmdesk/contract';
import {
  addUser,
  changePermissions,
  countErasure,
  deactivateAccount,
  dismissMember,
  eraseAccount,
  exportAccount,
  listUsers,
  reactivateAccount,
  readmitMember,
  setPasswordForOwner,
} from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import { writePrivatePieces } from '../installation/private-file.ts';
import { confirm } from './confirm.ts';
import { commaSeparated, everySecond, type OpsContext, table } from './context.ts';
import { readSecret } from './read-secret.ts';

/** Adds the commands `user`. */
export function userCommands(program: Command, ops: OpsContext): void {
  const user = program.command('user').description('Manage accounts and memberships');
  user
    .command('add')
    .description('Add an account, or add an existing account to another workspace')
    .requiredOption('--email <email>', 'email address of the account')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform" for the service’s own staff')
    .option('--name <name>', 'name that people see (default: the email address)')
    .option('--role <role>', 'role in the firm: admin or trader', 'admin')
    .option('--permissions <a,b>', 'permissions, separated by commas', commaSeparated, [])
    .option('--password-stdin', 'read the password from standard input')
    .option('--timezone <zone>', 'IANA time zone, such as Europe/London')
    .option('--language <tag>', 'language tag, such as en or pt-BR')
    .action(async (options) => {
      if (options.role !== 'admin' && options.role !== 'trader')
        throw new TypeError('--role must be "admin" or "trader".');
      const password = options.passwordStdin ? await readSecret() : undefined;
      const { id, email } = await ops.run((ctx) =>
        addUser(ctx, { ...options, name: options.name ?? options.email, password }),
      );
      ops.print({ id, email }, `Added ${email} (${id}).`);
    });
  user
    .command('list')
    .description('List accounts')
    .option('--workspace <slug>', 'only the members of this workspace')
    .action(async (options) => {
      const users = await ops.run((ctx) => listUsers(ctx, options.workspace));
      ops.print(
        users,
        table(
          users.map((user) => ({ ...user })),
          ['id', 'email', 'name', 'workspaces', 'deactivated', 'deleted'],
        ),
      );
    });
  user
    .command('password')
    .description('Set a password, read from standard input, and sign out the account’s devices')
    .argument('<email>', 'email address of the account')
    .action(async (email: string) => {
      const password = await readSecret();
      const { signedOut } = await ops.run((ctx) => setPasswordForOwner(ctx, email, password));
      ops.print(
        { email, signed_out: signedOut },
        `Changed the password. Signed out ${signedOut} ${signedOut === 1 ? 'device' : 'devices'}.`,
      );
    });
  user
    .command('dismiss')
    .description(
      'End a membership and revoke the account’s tokens in that workspace, immediately and on every node: the same as "deactivate --firm"',
    )
    .requiredOption('--user <email>', 'email address of the account')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform" for the service’s own staff')
    .action(async (options) => {
      const { user, workspace } = options;
      const { revoked } = await ops.run((ctx) => dismissMember(ctx, { email: user, workspace }));
      ops.print(
        { user, workspace, revoked },
        `Dismissed ${user} from ${workspace}. Revoked ${tokens(revoked)}.`,
      );
    });
  user
    .command('deactivate')
    .description(
      'Sign an account out everywhere and refuse its sign-in, immediately and on every node: its tokens end, its sockets close, its pushes stop',
    )
    .argument('<user>', 'email address or id of the account')
    .option('--firm <slug>', 'end only its membership of this firm, or of "platform"')
    .option('--reactivate', 'undo it. Tokens stay revoked; staff are added again with "user add"')
    .action(async (user: string, { firm, reactivate }: { firm?: string; reactivate?: boolean }) => {
      const place = firm === undefined ? 'everywhere' : `in ${firm}`;
      if (reactivate) {
        await ops.run(async (ctx) => {
          if (firm === undefined) await reactivateAccount(ctx, user);
          else await readmitMember(ctx, { email: user, workspace: firm });
        });
        ops.print({ user, firm: firm ?? null, active: true }, `Reactivated ${user} ${place}.`);
        return;
      }
      const { revoked } = await ops.run((ctx) =>
        firm === undefined
          ? deactivateAccount(ctx, user)
          : dismissMember(ctx, { email: user, workspace: firm }),
      );
      ops.print(
        { user, firm: firm ?? null, active: false, revoked },
        `Deactivated ${user} ${place}. Revoked ${tokens(revoked)}.`,
      );
    });
  user
    .command('permissions')
    .description(
      `Show or change the permissions of a member in a firm. A change takes effect immediately, and its sockets reconnect. The permissions are ${permissions.join(', ')}`,
    )
    .argument('<user>', 'email address or id of the account')
    .requiredOption('--firm <slug>', 'slug of the firm')
    .option('--grant <a,b>', 'permissions to add', commaSeparated)
    .option('--revoke <a,b>', 'permissions to remove', commaSeparated)
    .addOption(
      new Option('--set <a,b>', 'the permissions to hold, "" for none')
        .argParser(commaSeparated)
        .conflicts(['grant', 'revoke']),
    )
    .action(async (user: string, { firm, grant, revoke, set }) => {
      const held = await ops.run((ctx) =>
        changePermissions(ctx, { user, workspace: firm }, { grant, revoke, set }),
      );
      ops.print(held, held.permissions.join('\n') || '(none)');
    });
  user
    .command('export')
    .description(
      'Write all data of one person to a file, a JSON record per line: the account, its sessions, what firms store about it, and its conversations without internal notes. Mailboxes are the firm’s: they are named, not exported',
    )
    .argument('<user>', 'email address or id of the account')
    .argument('<file>', 'file to write; only its owner can read it')
    .action(async (user: string, file: string) => {
      const actor = await ops.actor();
      let exported: Record<string, number> = {};
      await writePrivatePieces(file, async (write) => {
        const onProgress = everySecond((type: string, records: number) => ops.say(`${type}: ${records}`));
        exported = await exportAccount(await ops.services(), user, write, { actor, onProgress });
      });
      ops.print({ user, file, exported }, countLines(exported));
    });
  user
    .command('erase')
    .description(
      'Erase a person: delete the sessions, keys, devices, notifications, reminders and own calendars, and replace the name and the address. Tickets, messages and mail stay, as of "Former user"; their texts are not changed. It cannot be undone; an interrupted erasure is continued by the same command',
    )
    .argument('<user>', 'email address or id of the account')
    .option('--dry-run', 'only count what would be deleted or changed')
    .option('--yes', 'do not ask for confirmation')
    .action(async (user: string, { dryRun, yes }: { dryRun?: boolean; yes?: boolean }) => {
      if (dryRun) {
        const counts = await countErasure(await ops.services(), user);
        ops.print({ user, dry_run: true, rows: counts }, countLines(counts));
        return;
      }
      if (!yes) await confirm(`This erases the account ${user}.`, user);
      const onProgress = everySecond((table: string, rows: number) => ops.say(`${table}: ${rows}`));
      const rows = await eraseAccount(await ops.services(), user, { actor: await ops.actor(), onProgress });
      ops.print({ user, dry_run: false, rows }, `Erased ${user}.`);
    });
}

function countLines(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join('\n');
}

function tokens(revoked: readonly string[]): string {
  return revoked.length === 1 ? '1 token' : `${revoked.length} tokens`;
}
