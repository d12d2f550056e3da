import { permissions } from '@firmdesk/contract';
import { sql } from 'kysely';
import { isStaffToken, PERMISSIONS } from '../../access/policy.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the permissions that the caller holds in the firm. Staff hold all. */
export async function heldBy({ db, identity, workspace }: AccountContext): Promise<readonly string[]> {
  if (isStaffToken(identity)) return permissions;
  const { rows } = await sql<{ held: string[] }>`
    select ${sql.raw(PERMISSIONS)} as held from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.user_id = ${identity.user.id}`.execute(db);
  return rows[0]?.held ?? [];
}

/** Nobody gives a permission that they do not hold. */
export async function ensureHeld(ctx: AccountContext, given: readonly string[]): Promise<void> {
  const held = await heldBy(ctx);
  const missing = given.find((permission) => !held.includes(permission));
  if (missing)
    throw invalidField(
      'permissions',
      `must not add "${missing}", which you do not hold: ask a member who does`,
    );
}

/** Throws `forbidden` if the caller lacks one of the permissions: for a call that needs more than its procedure does, by what its input names. */
export async function ensureHolds(ctx: AccountContext, needed: readonly string[]): Promise<void> {
  const held = await heldBy(ctx);
  const missing = needed.find((permission) => !held.includes(permission));
  if (missing) throw new ApiError('forbidden', { message: `This call needs the permission ${missing}.` });
}

/** Nobody takes permissions from a colleague who holds one that they do not hold. */
export async function ensureNotAbove(
  ctx: AccountContext,
  colleague: { id: string; permissions: readonly string[] },
): Promise<void> {
  if (colleague.id === ctx.identity.user.id) return;
  const held = await heldBy(ctx);
  const missing = colleague.permissions.find((permission) => !held.includes(permission));
  if (missing)
    throw new ApiError('forbidden', {
      message: `The member holds the permission ${missing}, which you do not hold: ask a member who does.`,
    });
}
