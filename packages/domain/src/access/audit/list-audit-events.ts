import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';

export interface AuditEvent {
  id: number;
  created_at: string;
  workspace: string;
  actor_kind: Actor['kind'];
  actor: string | null;
  action: string;
  target_type: string;
  target_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditFilter {
  /** Only the events of this workspace. */
  workspace?: string | undefined;
  /** Only the events about the account, token, firm, macro or ticket with this id. */
  target?: string | undefined;
  /** Only the events of this action. */
  action?: string | undefined;
  limit: number;
}

/** Returns the latest audit events, newest first. Changes of tickets are among them only if `target` is a ticket. */
export async function listAuditEvents(
  ctx: OperationContext,
  { workspace, target, action, limit }: AuditFilter,
): Promise<AuditEvent[]> {
  const firm = workspace === undefined ? null : (await getWorkspace(ctx, workspace)).id;
  const isOfFirm = firm === null ? 'true' : 'e.workspace_id = $4';
  const isAsked =
    target === undefined ? `$1::text is null and e.target_type <> 'ticket'` : 'e.target_id = $1::text';
  const events = await ctx.services.firmServers.readAll<AuditEvent>({
    text: (isAmong) => `${firm === null ? allFirms('audit') : ''}
      select e.id, e.created_at, w.slug as workspace, e.actor_kind, e.actor, e.action, e.target_type, e.target_id, e.before, e.after
      from audit_events e join workspaces w on w.id = e.workspace_id
      where ${isOfFirm} and ${isAmong('e.workspace_id')} and ${isAsked} and ($3::text is null or e.action = $3)
      order by e.created_at desc, e.id desc limit $2`,
    values: [target ?? null, limit, action ?? null, ...(firm === null ? [] : [firm])],
  });
  // The rows of several servers are not in one order yet. They are read one by one if a server of a cluster is lost.
  return events.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id).slice(0, limit);
}
