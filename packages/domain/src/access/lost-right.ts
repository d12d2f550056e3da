import type { LostRight } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { IS_ENABLED, IS_MEMBER, IS_SUSPENDED, MAY_ACT_IN_WORKSPACE, MAY_ANSWER } from './policy.ts';

/**
 * Returns the SQL expression for why an account may no longer answer and change tickets of a workspace; null if it may. Jobs that act for an
 * account read it when they run. Takes SQL expressions for the ids, without `u`, `f`, `h`, `w` or `m`.
 */
export function lostRight(user: string, workspace: string): string {
  return `nullif(coalesce((
    select case
      when ${IS_SUSPENDED} then 'firm_suspended'
      when not ${IS_ENABLED} then 'account_ended'
      when ${MAY_ACT_IN_WORKSPACE} then ''
      when not coalesce(${IS_MEMBER}, false) then 'dismissed'
      when not ${MAY_ANSWER} then 'permission_lost'
      else '' end
    from users u cross join workspaces h join workspaces f on f.id = h.id join workspaces w on w.id = coalesce(h.sandbox_of, h.id)
    left join memberships m on m.workspace_id = w.id and m.user_id = u.id
    where u.id = ${user} and h.id = ${workspace}), 'account_ended'), '')`;
}

/** Returns {@link lostRight} of an account now. */
export async function findLostRight(
  { db }: Pick<OperationContext, 'db'>,
  userId: string,
  workspaceId: number,
): Promise<LostRight | null> {
  const { rows } = await sql<{ reason: LostRight | null }>`
    select ${sql.raw(lostRight('asked.id', 'asked.workspace'))} as reason
    from (select ${userId}::text as id, ${workspaceId}::integer as workspace) as asked`.execute(db);
  return rows[0]!.reason;
}

const predicates: Record<Exclude<LostRight, 'firm_suspended'>, string> = {
  dismissed: 'no longer belongs to the firm',
  account_ended: 'no longer has an account',
  permission_lost: 'may no longer answer tickets',
};

/** Returns why a job did not act for an account, for texts: "because …". */
export function describeLostRight(reason: LostRight, who: string): string {
  return reason === 'firm_suspended' ? 'the firm was suspended' : `${who} ${predicates[reason]}`;
}
