import { addTestDataFor, issueKey, listTokens, revokeToken, rotateToken } from '@firmdesk/domain';
import type { Command } from 'commander';
import { after, commaSeparated, DURATION_FORMS, duration, type OpsContext, table } from './context.ts';

/** Adds the commands `token`. */
export function tokenCommands(program: Command, ops: OpsContext): void {
  const token = program.command('token').description('Manage API keys and device tokens');
  token
    .command('issue')
    .description('Issue an API key. The key is printed once and cannot be shown again')
    .requiredOption('--user <email>', 'email address of the account')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform" for the service’s own staff')
    .requiredOption('--scopes <a,b>', 'scopes, separated by commas', commaSeparated)
    .option('--name <name>', 'name of the key, shown in lists')
    .option(
      '--test',
      'issue a key for the test environment: it acts in the firm’s sandbox, where the account gets test data',
    )
    .option('--expires <duration>', `lifetime, ${DURATION_FORMS}`, duration)
    .action(async (options) => {
      const { token, text } = await ops.run((ctx) =>
        issueKey(ctx, {
          email: options.user,
          workspace: options.workspace,
          scopes: options.scopes,
          environment: options.test ? 'test' : 'live',
          name: options.name ?? null,
          expiresAt: options.expires ? after(ctx.now, options.expires) : null,
        }),
      );
      const testData = options.test ? await addTestDataFor(await ops.services(), text) : null;
      const expires_at = token.expiresAt?.toISOString() ?? null;
      ops.print({ id: token.id, token: text, expires_at, ...(testData && { test_data: testData }) }, text);
      ops.say(`Issued ${token.id}. Store the key now: it cannot be shown again.`);
      if (testData) ops.say(`Added test data: ${JSON.stringify(testData)}`);
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
  token
    .command('rotate')
    .description(
      'Give an API key a new secret, printed once. The last secret is accepted until the overlap ends, then its sockets close',
    )
    .argument('<key-id>', 'id of the token: key_…')
    .option(
      '--overlap <duration>',
      `how long the last secret is accepted, ${DURATION_FORMS}`,
      duration,
      'PT24H',
    )
    .action(async (id: string, { overlap }: { overlap: string }) => {
      const { text, previousUntil } = await ops.run((ctx) =>
        rotateToken(ctx, { id, overlapUntil: after(ctx.now, overlap) }),
      );
      ops.print({ id, token: text, previous_until: previousUntil.toISOString() }, text);
      ops.say(
        `Rotated ${id}. Store the key now: it cannot be shown again. The last one works until ${previousUntil.toISOString()}.`,
      );
    });
}
