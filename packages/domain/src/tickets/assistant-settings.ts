import type { AssistantSettings, UpdateAssistantInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../access/audit/audit.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Returns whether the firm's team may use the assistant, and how much of this month's allowance (UTC) is used. */
export async function getAssistantSettings(ctx: AccountContext): Promise<AssistantSettings> {
  const month = `${ctx.now.toISOString().slice(0, 7)}-01`;
  const { rows } = await sql<Omit<AssistantSettings, 'object' | 'days'> & { days: Record<string, number> }>`
    select assistant_enabled_for_team as enabled_for_team, assistant_monthly_allowance as monthly_allowance,
      coalesce(u.used, 0) as used, coalesce(u.days, '{}') as days
    from workspaces w
    left join assistant_usage u on u.workspace_id = ${ctx.workspace.id} and u.month = ${month}
    where w.id = ${ctx.workspace.id}`.execute(ctx.db);
  const { days, ...settings } = rows[0]!;
  const used = Object.entries(days)
    .filter(([, count]) => count > 0)
    .map(([day, count]) => ({ day, used: count }));
  return { object: 'assistant_settings', ...settings, days: used.sort((a, b) => (a.day < b.day ? -1 : 1)) };
}

/** Changes the given settings. Replies already used this month count, even beyond a smaller allowance. */
export async function updateAssistantSettings(
  ctx: AccountContext,
  input: z.infer<typeof UpdateAssistantInput>,
): Promise<AssistantSettings> {
  const before = await getAssistantSettings(ctx);
  const firm = await ctx.em.findOneOrFail(Workspace, ctx.workspace.id);
  firm.assistantEnabledForTeam = input.enabled_for_team ?? firm.assistantEnabledForTeam;
  firm.assistantMonthlyAllowance = input.monthly_allowance ?? firm.assistantMonthlyAllowance;
  await ctx.em.flush();
  const after = await getAssistantSettings(ctx);
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, ctx.workspace.id, {
    action: 'firm.assistant_changed',
    target: { type: 'firm', id: ctx.workspace.slug },
    before: settingsOf(before),
    after: settingsOf(after),
  });
  return after;
}

function settingsOf({ enabled_for_team, monthly_allowance }: AssistantSettings): Record<string, unknown> {
  return { enabled_for_team, monthly_allowance };
}
