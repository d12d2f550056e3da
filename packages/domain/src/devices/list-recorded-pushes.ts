import { MAX_PUSHES_LISTED, type RecordedPush } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { AccountContext } from '../procedures/call-context.ts';

/**
 * Returns the pushes to the registrations of the calling test token that were recorded or dropped, newest first. Empty for a live
 * token, whose pushes are sent.
 */
export async function listRecordedPushes({ db, identity }: AccountContext): Promise<RecordedPush[]> {
  if (identity.environment !== 'test') return [];
  const { rows } = await sql<Omit<RecordedPush, 'object'>>`
    select id, app, payload, case when state = 'unsent' then null else reason end as dropped, created_at
    from push_outbox where token_id = ${identity.tokenId} and state <> 'waiting'
    order by created_at desc, id limit ${MAX_PUSHES_LISTED}`.execute(db);
  return rows.map((row) => ({ object: 'recorded_push', ...row }));
}
