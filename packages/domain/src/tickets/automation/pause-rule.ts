import { MAX_RULE_EFFECTS } from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../../access/audit/audit.ts';
import { firmIdOf, IS_AGENT, isPermitted } from '../../access/policy.ts';
import { publishChange } from '../../access/workspaces/publish-change.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { deriveAutomation, lockAutomation } from './derive-automation.ts';
import { TicketRule } from './rule.entity.ts';

/** Switches a rule off that has failed, and tells its author, or without them those who may change it. */
export async function pauseRule(
  ctx: OperationContext,
  workspaceId: number,
  id: string,
  because: string,
): Promise<void> {
  await publishChange(ctx, workspaceId, ['rules']);
  await lockAutomation(ctx, workspaceId);
  const rule = await ctx.em.findOne(TicketRule, { workspaceId, id });
  if (!rule?.isOn) return;
  rule.isOn = false;
  rule.pausedBecause = because;
  await recordAudit(ctx, workspaceId, { action: 'rule.paused', target: { type: 'rule', id } });
  await deriveAutomation(ctx, workspaceId);
  await tell(
    ctx,
    workspaceId,
    { title: `The rule “${rule.name}” was switched off`, body: because },
    rule.authorId,
  );
}

/** Tells those who may change the firm's rules that these wait for the next hour. */
export async function tellOfLimit(ctx: OperationContext, workspaceId: number): Promise<void> {
  const most = MAX_RULE_EFFECTS.toLocaleString('en');
  await tell(ctx, workspaceId, {
    title: 'The rules wait until the next hour',
    body: `They have made ${most} changes in this hour, which is the most they can.`,
  });
}

async function tell(
  ctx: OperationContext,
  workspaceId: number,
  text: { title: string; body: string },
  author: string | null = null,
): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspaceId)} and ${sql.raw(IS_AGENT)} and ${sql.raw(isPermitted('manage_settings'))}
    order by m.user_id`.execute(ctx.db);
  const ids = rows.map(({ user_id }) => user_id);
  const recipients = author !== null && ids.includes(author) ? [author] : ids;
  await storeNotifications(
    ctx,
    { workspaceId, kind: 'ticket_awaiting_admin', ...text, actionUrl: '/settings/rules' },
    recipients,
  );
}
