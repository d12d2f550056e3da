import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { isLiveAt } from '../policy.ts';
import { generateSecret } from './bearer-token.ts';
import { thisTransaction } from './token-rights.ts';
import { lockToken } from './tokens.ts';

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
  const { em, db, now } = ctx;
  if (overlapUntil < now) throw invalidField('overlap', 'must not be negative');
  const token = await lockToken(ctx, id);
  if (token.kind !== 'api_key')
    throw invalidField('id', 'must be an API key: a device gets a new token when it signs in again');
  const live = await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('t.id')
    .where('t.id', '=', id)
    .where(isLiveAt(now))
    .executeTakeFirst();
  if (!live) throw invalidField('id', 'must be a token that is neither revoked nor expired');
  const { text, secretHash } = generateSecret(id, token.environment);
  em.assign(token, {
    previousSecretHash: token.secretHash,
    previousSecretUntil: overlapUntil,
    secretHash,
    rightsChangedIn: thisTransaction(),
  });
  await recordAudit(ctx, token.workspaceId, {
    action: 'token.rotated',
    target: { type: 'token', id },
    after: { previous_secret_until: overlapUntil.toISOString() },
  });
  return { text, previousUntil: overlapUntil };
}
