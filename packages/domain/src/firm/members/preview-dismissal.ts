import { MAX_TICKET_COUNT, type MemberDismissal } from '@firmdesk/contract';
import { sql } from 'kysely';
import { isLiveAt } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { readMember } from './list-members.ts';

/** Returns what ends with a membership. Tickets are counted up to {@link MAX_TICKET_COUNT}. Throws `resource_not_found`. */
export async function previewDismissal(
  ctx: AccountContext,
  { id }: { id: string },
): Promise<MemberDismissal> {
  const { db, workspace, now } = ctx;
  await readMember(ctx, id);
  const { rows: tokens } = await sql<Pick<MemberDismissal, 'sessions' | 'api_keys'>>`
    select count(*) filter (where t.kind = 'device')::integer as sessions,
      count(*) filter (where t.kind = 'api_key')::integer as api_keys
    from tokens t join users u on u.id = t.user_id
    where t.user_id = ${id} and ${isLiveAt(now)}
      and t.workspace_id in (select w.id from workspaces w where ${workspace.id} in (w.id, w.sandbox_of))`.execute(
    db,
  );
  const { rows } = await sql<Omit<MemberDismissal, 'object' | 'id' | keyof (typeof tokens)[number]>>`
    select
      (select count(*)::integer from (
        select from tickets where workspace_id = ${workspace.id} and assignee_id = ${id} and status not in ('resolved', 'closed')
        limit ${MAX_TICKET_COUNT}) as assigned) as tickets,
      (select count(*)::integer from mailbox_members where workspace_id = ${workspace.id} and user_id = ${id}) as mailboxes,
      (select count(*)::integer from calendars where workspace_id = ${workspace.id} and owner_id = ${id}) as calendars,
      (select count(*)::integer from team_members where workspace_id = ${workspace.id} and user_id = ${id}) as teams,
      (select count(*)::integer from delayed_sends
      where workspace_id = ${workspace.id} and author_id = ${id}) as delayed_sends`.execute(db);
  return { object: 'member_dismissal', id, ...tokens[0]!, ...rows[0]! };
}
