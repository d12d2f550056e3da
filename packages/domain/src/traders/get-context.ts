import type { TraderContext, TraderRef } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountContext } from '../procedures/call-context.ts';
import { type ProfileRow, toProfile } from './trader-profile.ts';

/** Returns the profile of a trader. An account of another firm has none. */
export async function getContext(
  { db, workspace }: AccountContext,
  { trader }: z.infer<typeof TraderRef>,
): Promise<TraderContext> {
  const { rows } = await sql<ProfileRow>`
    select user_id, country, language, timezone, verification, data, layout, updated_at from trader_profiles
    where workspace_id = ${workspace.id} and user_id = ${trader}`.execute(db);
  return { object: 'trader_context', profile: rows[0] ? toProfile(rows[0]) : null };
}
