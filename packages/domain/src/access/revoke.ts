import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';

interface Which {
  userId: string;
  id?: string;
  exceptId?: string;
  anyKind?: boolean;
  /** Only tokens of this workspace. */
  workspaceId?: number;
}

/** Revokes tokens and deletes their push registrations. Returns their ids. Takes effect with the next call on every node. */
export async function revoke({ em, now }: OperationContext, which: Which): Promise<string[]> {
  let update = sqlOf(em)
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', which.userId)
    .where('revoked_at', 'is', null);
  if (which.id) update = update.where('id', '=', which.id);
  if (which.exceptId) update = update.where('id', '!=', which.exceptId);
  if (which.workspaceId) update = update.where('workspace_id', '=', which.workspaceId);
  if (!which.anyKind) update = update.where('kind', '=', 'device');
  const ids = (await update.returning('id').execute()).map(({ id }) => id);
  if (ids.length > 0) await sqlOf(em).deleteFrom('devices').where('token_id', 'in', ids).execute();
  return ids;
}
