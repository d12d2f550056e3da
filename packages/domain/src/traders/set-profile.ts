import type { SetProfileInput, TraderProfile } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { firmIdOf } from '../access/policy.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { TraderProfile as TraderProfileEntity } from './trader-profile.entity.ts';
import { TRADER_PROFILE, toProfile } from './trader-profile.ts';

/**
 * Stores what the platform says about a trader, in place of what it said before, and tells those who see it. Throws `resource_not_found` if the
 * account is no member of the firm.
 */
export async function setProfile(
  ctx: AccountContext,
  { trader, country, language, timezone, verification, data, layout }: z.output<typeof SetProfileInput>,
): Promise<TraderProfile> {
  const { em, db, workspace, now } = ctx;
  const member = await sql`
    select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace.id)}
    and m.user_id = ${trader} and u.deleted_at is null`.execute(db);
  if (member.rows.length === 0) throw new ApiError('resource_not_found');
  const profile = { country, language, timezone, verification, data, layout };
  await em.upsert(TraderProfileEntity, {
    workspaceId: workspace.id,
    userId: trader,
    ...profile,
    updatedAt: now,
  });
  await appendEvents(ctx, workspace.id, [{ subject: trader, type: TRADER_PROFILE, body: { trader } }]);
  return toProfile({ user_id: trader, ...profile, updated_at: now.toISOString() });
}
