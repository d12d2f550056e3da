import { TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { batchCalls } from '../../platform/database/batch-calls.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { acceptsPreviousSecret, BELONGS_TO_WORKSPACE, IS_SUSPENDED, isLive, TOKENS } from '../policy.ts';

/** The rights of a live token, for connections that stay open longer than one call. */
export interface TokenRights {
  /** Changes when the rights change. */
  fingerprint: string;
  /** When the token or its last secret expires, unless the token is used before. */
  endsAt: Date;
  /** Whether the workspace is suspended. */
  isSuspended: boolean;
}

/** The last secret of a rotated token is still accepted. */
const IS_OVERLAP = acceptsPreviousSecret('$2::timestamptz');

/** The fingerprint contains the oldest secret that is accepted: connections that were opened with an earlier one are closed. */
const FIND_TOKEN_RIGHTS = {
  name: 'find-token-rights',
  text: `
    select t.id, md5(concat_ws('|', t.scopes::text, m.role, m.active, m.permissions::text, u.is_staff, w.suspended_at,
      case when u.is_staff then (select string_agg(s.id::text, ',' order by s.id) from workspaces s where s.suspended_at is not null) end,
      case when ${IS_OVERLAP} then t.previous_secret_hash else t.secret_hash end,
      u.staff_of_all_firms, (select string_agg(s.workspace_id::text, ',' order by s.workspace_id)
        from staff_firms s where s.user_id = u.id))) as fingerprint,
      least(t.expires_at, case when ${IS_OVERLAP} then t.previous_secret_until end, coalesce(t.last_used_at, t.created_at) + interval '${TOKEN_IDLE_DAYS * 24} hours') as ends_at,
      ${IS_SUSPENDED} as is_suspended
    from ${TOKENS}
    where t.id = any($1) and ${isLive('$2::timestamptz')} and ${BELONGS_TO_WORKSPACE}`,
};

/**
 * Returns the rights of each token. Omits tokens that are no longer live and tokens whose account no longer belongs to the
 * workspace.
 */
export async function readTokenRights(
  pool: Pool,
  tokenIds: readonly string[],
  now: Date,
): Promise<Map<string, TokenRights>> {
  if (tokenIds.length === 0) return new Map();
  const { rows } = await pool.query<{
    id: string;
    fingerprint: string;
    ends_at: string;
    is_suspended: boolean;
  }>({
    ...FIND_TOKEN_RIGHTS,
    values: [tokenIds, now.toISOString()],
  });
  return new Map(
    rows.map(({ id, fingerprint, ends_at, is_suspended }) => [
      id,
      { fingerprint, endsAt: new Date(ends_at), isSuspended: is_suspended },
    ]),
  );
}

/** Returns {@link readTokenRights} for one token. Calls that arrive together share one statement. */
export function rightsOfTokens(pool: Pool): (tokenId: string, now: Date) => Promise<TokenRights | undefined> {
  const read = batchCalls<{ tokenId: string; now: Date }, TokenRights | undefined>(async (asked) => {
    const ids = asked.map(({ tokenId }) => tokenId);
    const rights = await readTokenRights(pool, ids, asked.at(-1)!.now);
    return ids.map((id) => rights.get(id));
  });
  return (tokenId, now) => read(tokenId, { tokenId, now });
}

/** Tokens whose rights were changed or that were revoked. `through` continues the next read. */
export interface ChangedTokens {
  ids: string[];
  through: string;
}

/**
 * Returns the tokens that were changed since `since`, the `through` of the previous read. A transaction that was in progress
 * then is included now: both are transaction ids, of which PostgreSQL knows the oldest in progress. A token can be returned more
 * than once. With `since: null`, returns no tokens, only where to continue.
 */
export async function readChangedTokens(pool: Pool, since: string | null): Promise<ChangedTokens> {
  const { rows } = await pool.query<ChangedTokens>({
    name: 'changed-tokens',
    text: `select array(select id from tokens where rights_changed_in >= $1::xid8) as ids,
      pg_snapshot_xmin(pg_current_snapshot())::text as through`,
    values: [since],
  });
  return rows[0]!;
}

/** The value of `rights_changed_in` for a token that this transaction changes. */
export const THIS_TRANSACTION = sql<string>`pg_current_xact_id()`;

/** {@link THIS_TRANSACTION} for an entity. */
export function thisTransaction(): string {
  return raw('pg_current_xact_id()');
}

/** Records that the rights of an account's tokens have changed, so that its sockets are closed on every node. */
export async function markRightsChanged({ db }: Pick<OperationContext, 'db'>, userId: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ rights_changed_in: THIS_TRANSACTION })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}
