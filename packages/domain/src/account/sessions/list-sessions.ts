import { MAX_SESSIONS_LISTED, type Session } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, isLiveAt } from '../../access/policy.ts';
import { isOfFirm } from '../../access/tokens/revoke-tokens.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the live sessions of the caller's devices, most recently used first. A test token gets those of test tokens, and a session by the provider of a firm those in that firm. */
export async function listSessions({ db, identity, now }: AccountContext): Promise<Session[]> {
  let query = db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.name', 't.created_at', 't.last_used_at', 't.expires_at', 't.signed_in_by'])
    .where('t.user_id', '=', identity.user.id)
    .where('t.kind', '=', 'device')
    .where(isLiveAt(now))
    .orderBy(sql`coalesce(t.last_used_at, t.created_at)`, 'desc')
    .orderBy('t.id', 'desc')
    .limit(MAX_SESSIONS_LISTED);
  if (identity.environment === 'test') query = query.where('t.environment', '=', 'test');
  if (identity.signIn.method === 'provider') query = query.where(isOfFirm(firmIdOf(identity.home.id)));
  const rows = await query.execute();
  return rows.map((row) => ({ object: 'session', ...row, current: row.id === identity.tokenId }));
}
