import {
  addUser,
  addWorkspace,
  dismissMember,
  issueKey,
  listTokens,
  listUsers,
  listWorkspaces,
  revokeToken,
  setPassword,
} from '@firmdesk/domain';
import { resolveTimestamp } from '@firmdesk/seed';
import type { Command } from 'commander';
import { type OpsContext, table } from './context.ts';
import { readSecret } from './read-secret.ts';

/** Adds the commands `token`, `firm` and `user`. */
export function accessCommands(program: Command, ops: OpsContext): void {
  const token = program.command('token').description('Manage API keys and device tokens');
  token
    .command('issue')
    .description('Issue an API key. The key is printed once and cannot be shown again')
    .requiredOption('--user <email>', 'email address of the account')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform" for the service’s own staff')
    .requiredOption('--scopes <a,b>', 'scopes, separated by commas', commaSeparated)
    .option('--name <name>', 'name of the key, shown in lists')
    .option('--test', 'issue a key for the test environment')
    .option('--expires <duration>', 'lifetime as an ISO 8601 duration, such as P90D')
    .action(async (options) => {
      const { token, text } = await ops.run((ctx) =>
        issueKey(ctx, {
          email: options.user,
          workspace: options.workspace,
          scopes: options.scopes,
          environment: options.test ? 'test' : 'live',
          name: options.name ?? null,
          expiresAt: options.expires ? new Date(resolveTimestamp(`now+${options.expires}`, ctx.now)) : null,
        }),
      );
      ops.print({ id: token.id, token: text, expires_at: token.expiresAt?.toISOString() ?? null }, text);
      ops.say(`Issued ${token.id}. Store the key now: it cannot be shown again.`);
    });
  token
    .command('list')
    .description('List the tokens of an account, including revoked and expired ones')
    .requiredOption('--user <email>', 'email address of the account')
    .action(async (options) => {
      const tokens = await ops.run((ctx) => listTokens(ctx, options.user));
      ops.print(
        tokens,
        table(
          tokens.map((token) => ({ ...token })),
          [
            'id',
            'kind',
            'environment',
            'workspace',
            'name',
            'scopes',
            'last_used_at',
            'expires_at',
            'revoked_at',
          ],
        ),
      );
    });
  token
    .command('revoke')
    .description('Revoke a token. It stops working immediately, on every node')
    .argument('<key-id>', 'id of the token: key_…')
    .action(async (id: string) => {
      await ops.run((ctx) => revokeToken(ctx, id));
      ops.print({ id, revoked: true }, `Revoked ${id}.`);
    });

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
          ['id', 'email', 'name', 'workspaces', 'deleted'],
        ),
      );
    });
  user
    .command('password')
    .description('Set a password, read from standard input, and sign out the account’s devices')
    .argument('<email>', 'email address of the account')
    .action(async (email: string) => {
      const password = await readSecret();
      const { signedOut } = await ops.run((ctx) => setPassword(ctx, email, password));
      ops.print(
        { email, signed_out: signedOut },
        `Changed the password. Signed out ${signedOut} ${signedOut === 1 ? 'device' : 'devices'}.`,
      );
    });
  user
    .command('dismiss')
    .description(
      'End a membership and revoke the account’s tokens in that workspace, immediately and on every node',
    )
    .requiredOption('--user <email>', 'email address of the account')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform" for the service’s own staff')
    .action(async (options) => {
      const { user, workspace } = options;
      const { revoked } = await ops.run((ctx) => dismissMember(ctx, { email: user, workspace }));
      const tokens = revoked.length === 1 ? '1 token' : `${revoked.length} tokens`;
      ops.print({ user, workspace, revoked }, `Dismissed ${user} from ${workspace}. Revoked ${tokens}.`);
    });
}

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
