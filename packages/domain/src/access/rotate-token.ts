import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import { recordAudit } from './audit.ts';
import { generateSecret } from './bearer-token.ts';
import { isLiveAt } from './policy.ts';
import { THIS_TRANSACTION } from './token-rights.ts';

export interface RotateTokenInput {
  id: string;
  /** Until when the last secret is accepted. A secret before the last one ends immediately. */
  overlapUntil: Date;
}

/** Gives an API key a new secret; its id, scopes and limits stay. `text` is the new plaintext, which is not stored. */
export async function rotateToken(
  ctx: OperationContext,
  { id, overlapUntil }: RotateTokenInput,
): Promise<{ text: string; previousUntil: Date }> {
  const { db, now } = ctx;
  if (overlapUntil < now) throw invalidField('overlap', 'must not be negative');
  const token = await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.kind', 't.environment', 't.workspace_id', isLiveAt(now).as('is_live')])
    .where('t.id', '=', id)
    .executeTakeFirst();
  if (!token) throw new ApiError('resource_not_found', { message: `There is no token ${id}.` });
  if (token.kind !== 'api_key')
    throw invalidField('id', 'must be an API key: a device gets a new token when it signs in again');
  if (!token.is_live) throw invalidField('id', 'must be a token that is neither revoked nor expired');
  const { text, secretHash } = generateSecret(id, token.environment);
  await db
    .updateTable('tokens')
    .set({
      previous_secret_hash: sql<Buffer>`secret_hash`,
      previous_secret_until: overlapUntil,
      secret_hash: secretHash,
      rights_changed_in: THIS_TRANSACTION,
    })
    .where('id', '=', id)
    .execute();
  await recordAudit(ctx, token.workspace_id, {
    action: 'token.rotated',
    target: { type: 'token', id },
    after: { previous_secret_until: overlapUntil.toISOString() },
  });
  return { text, previousUntil: overlapUntil };
}
