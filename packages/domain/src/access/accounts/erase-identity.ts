import type { OperationContext } from '../../platform/database/context.ts';

/** The name and the address that an erased account has. */
export const ERASED = { name: 'Former user', email: 'former-user@erased.invalid' } as const;

/**
 * Removes everything from accounts that says whose they are, and ends them. The rows stay: tickets and messages refer to them, and show
 * {@link ERASED}.
 */
export async function eraseIdentity(
  { db, now }: OperationContext,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  for (const table of [
    'second_factors',
    'recovery_codes',
    'passkeys',
    'sign_in_challenges',
    'provider_accounts',
  ] as const)
    await db.deleteFrom(table).where('user_id', 'in', userIds).execute();
  await db
    .updateTable('users')
    .set(({ fn, val }) => ({
      ...ERASED,
      password_hash: null,
      avatar_url: null,
      avatar_hash: null,
      language: 'en',
      timezone: 'UTC',
      is_staff: false,
      staff_of_all_firms: false,
      deactivated_at: null,
      deleted_at: fn.coalesce('deleted_at', val(now.toISOString())),
    }))
    .where('id', 'in', userIds)
    .execute();
}
