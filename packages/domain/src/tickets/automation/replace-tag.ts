import { type RuleAction, readChoice, writeChoice } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { lockAutomation } from './derive-automation.ts';
import { TicketRule } from './rule.entity.ts';

/** Lets the rules of a firm name another tag in the place of one that is merged into it. */
export async function replaceTagInRules(
  ctx: OperationContext,
  workspaceId: number,
  id: number,
  into: number,
): Promise<void> {
  await lockAutomation(ctx, workspaceId);
  const replaced = (action: RuleAction): RuleAction =>
    'tag' in action && action.tag === id ? { ...action, tag: into } : action;
  for (const rule of await ctx.em.find(TicketRule, { workspaceId })) {
    const { conditions } = rule;
    const choice = readChoice(conditions.filter.tag);
    const values = (choice?.values ?? []).map((value) => (value === String(id) ? String(into) : value));
    const tag = choice && writeChoice({ ...choice, values: [...new Set(values)] });
    rule.actions = rule.actions.map(replaced);
    if (tag) rule.conditions = { ...conditions, filter: { ...conditions.filter, tag } };
  }
  await ctx.em.flush();
}
