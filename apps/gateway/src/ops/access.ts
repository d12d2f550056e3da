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

/** `token`, `firm` and `user`. */
export function accessCommands(program: Command, ops: OpsContext): void {
  const token = program.command('token').description('API keys and signed-in devices');
  token
    .command('issue')
    .description('issue an API key; it is shown this once')
    .requiredOption('--user <email>')
    .requiredOption('--workspace <slug>', 'a firm, or platform for the service’s own staff')
    .requiredOption('--scopes <a,b>', 'comma-separated', commaSeparated)
    .option('--name <name>')
    .option('--test', 'a key of the test environment')
    .option('--expires <duration>', 'from now, ISO 8601: P90D')
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
      ops.say(`Issued ${token.id}. The token is not shown again.`);
    });
  token
    .command('list')
    .description('the tokens of an account, ended ones too')
    .requiredOption('--user <email>')
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
    .description('end a token at once, everywhere')
    .argument('<key-id>')
    .action(async (id: string) => {
      await ops.run((ctx) => revokeToken(ctx, id));
      ops.print({ id, revoked: true }, `Revoked ${id}.`);
    });

  const firm = program.command('firm').description('firms');
  firm
    .command('add')
    .requiredOption('--slug <slug>')
    .requiredOption('--name <name>')
    .action(async (options) => {
      const { id, slug, name } = await ops.run((ctx) => addWorkspace(ctx, options));
      ops.print({ id, slug, name }, `Added ${slug}.`);
    });
  firm.command('list').action(async () => {
    const firms = await ops.run((ctx) => listWorkspaces(ctx));
    ops.print(
      firms,
      table(
        firms.map((firm) => ({ ...firm })),
        ['slug', 'name', 'members'],
      ),
    );
  });

  const user = program.command('user').description('accounts');
  user
    .command('add')
    .description('add an account, or let an existing one join a further workspace')
    .requiredOption('--email <email>')
    .requiredOption('--workspace <slug>', 'a firm, or platform for the service’s own staff')
    .option('--name <name>')
    .option('--role <role>', 'admin or trader', 'admin')
    .option('--permissions <a,b>', 'comma-separated', commaSeparated, [])
    .option('--password-stdin', 'read a password from standard input')
    .option('--timezone <zone>')
    .option('--language <tag>')
    .action(async (options) => {
      if (options.role !== 'admin' && options.role !== 'trader')
        throw new TypeError('--role must be admin or trader');
      const password = options.passwordStdin ? await readSecret() : undefined;
      const { id, email } = await ops.run((ctx) =>
        addUser(ctx, { ...options, name: options.name ?? options.email, password }),
      );
      ops.print({ id, email }, `Added ${email} (${id}).`);
    });
  user
    .command('list')
    .option('--workspace <slug>')
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
    .description('set a password, read from standard input; signs the account’s devices out')
    .argument('<email>')
    .action(async (email: string) => {
      const password = await readSecret();
      const { signedOut } = await ops.run((ctx) => setPassword(ctx, email, password));
      ops.print({ email, signed_out: signedOut }, `Changed. Signed out ${signedOut} devices.`);
    });
  user
    .command('dismiss')
    .description('end a membership and revoke the account’s tokens of that workspace, at once and everywhere')
    .requiredOption('--user <email>')
    .requiredOption('--workspace <slug>', 'a firm, or platform for the service’s own staff')
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
