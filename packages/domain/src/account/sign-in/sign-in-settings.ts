import type { SignInSettings } from '@firmdesk/contract';
import { listPasskeys } from '../../access/sign-in/passkeys.ts';
import { findSecondFactor } from '../../access/sign-in/second-factor.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns how the caller's account signs in. */
export async function getSignInSettings(ctx: AccountContext): Promise<SignInSettings> {
  const { id } = ctx.identity.user;
  const { has_password } = await ctx.db
    .selectFrom('users')
    .select((select) => select('password_hash', 'is not', null).as('has_password'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const provider = await ctx.db
    .selectFrom('sign_in_providers')
    .select('workspace_id')
    .where('workspace_id', '=', ctx.workspace.id)
    .executeTakeFirst();
  const factor = await findSecondFactor(ctx, id);
  return {
    object: 'sign_in_settings',
    has_password: Boolean(has_password),
    second_factor: factor && {
      created_at: factor.createdAt,
      recovery_codes_left: factor.recoveryCodes,
    },
    has_provider: provider !== undefined,
    passkeys: await listPasskeys(ctx, id),
  };
}
