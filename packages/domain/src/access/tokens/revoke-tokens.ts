import type { TokenEnvironment } from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { THIS_TRANSACTION } from './token-rights.ts';

/** The tokens to revoke. */
interface TokenFilter {
  userId: string;
  /** Only this token. */
  id?: string;
  /** All but this token. */
  exceptId?: string;
  /** Also API keys; otherwise only sessions of devices. */
  anyKind?: boolean;
  /** Only tokens of this environment. */
  environment?: TokenEnvironment;
  /** Only tokens of this firm and of its sandbox. */
  firmId?: number | RawBuilder<number>;
}

/** Returns the condition that a token is one of a firm, or of its sandbox. */
export function isOfFirm(firmId: number | RawBuilder<number>): RawBuilder<SqlBool> {
  return sql<SqlBool>`workspace_id in (select id from workspaces where id = ${firmId} or sandbox_of = ${firmId})`;
}

/** Revokes tokens and deletes their push registrations. Returns their ids. Takes effect with the next call on every node. */
export async function revokeTokens({ db, now }: OperationContext, filter: TokenFilter): Promise<string[]> {
  let update = db
    .updateTable('tokens')
    .set({ revoked_at: now, rights_changed_in: THIS_TRANSACTION })
    .where('user_id', '=', filter.userId)
    .where('revoked_at', 'is', null);
  if (filter.id) update = update.where('id', '=', filter.id);
  if (filter.exceptId) update = update.where('id', '!=', filter.exceptId);
  if (filter.environment) update = update.where('environment', '=', filter.environment);
  if (filter.firmId) update = update.where(isOfFirm(filter.firmId));
  if (!filter.anyKind) update = update.where('kind', '=', 'device');
  const ids = (await update.returning('id').execute()).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('devices').where('token_id', 'in', ids).execute();
  return ids;
}
