import {
  type CreateRuleInput,
  MAX_RULES,
  type MoveRuleInput,
  type PreviewRuleInput,
  RULE_PREVIEW_TICKETS,
  type RuleAction,
  type RulePreview,
  readChoice,
  type TicketRule as TicketRuleOfContract,
  type TicketRules,
  type UpdateRuleInput,
} from '@firmdesk/contract';
import { CompiledQuery, sql } from 'kysely';
import type { z } from 'zod';
import { ERASED } from '../../access/accounts/erase-identity.ts';
import { type NewAuditEvent, recordAudit } from '../../access/audit/audit.ts';
import { firmIdOf, IS_AGENT } from '../../access/policy.ts';
import { publishChange } from '../../access/workspaces/publish-change.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { findAction, readActionTargets, type TicketAction } from '../bulk/ticket-action.ts';
import { deriveAutomation, lockAutomation } from './derive-automation.ts';
import { deleteUnusedWaits, firstRun, recordFirstRuns } from './first-runs.ts';
import { TicketRule } from './rule.entity.ts';
import { ruleCondition } from './rule-conditions.ts';

type Input = z.output<typeof CreateRuleInput>;

/** Returns the firm's rules in their order. */
export async function listRules(ctx: AccountContext, only: string | null = null): Promise<TicketRules> {
  const { rows } = await sql<TicketRuleOfContract>`
    select 'ticket_rule' as object, r.id, r.name, r.is_on as enabled, r.trigger, r.conditions, r.actions, r.stops,
      json_build_object('id', r.author_id, 'name', coalesce(
        (select u.name from users u where u.id = r.author_id), ${ERASED.name}::text)) as author,
      r.paused_because, r.created_at
    from ticket_rules r where r.workspace_id = ${ctx.workspace.id} and (${only}::text is null or r.id = ${only})
    order by r.position, r.id`.execute(ctx.db);
  return { object: 'ticket_rules', rules: rows };
}

async function readRule(ctx: AccountContext, id: string): Promise<TicketRuleOfContract> {
  const [rule] = (await listRules(ctx, id)).rules;
  if (!rule) throw new ApiError('resource_not_found');
  return rule;
}

/**
 * Creates a rule at the end of the list. Throws `rule_limit_reached`, and `validation_failed` for what is not of the firm. A rule belongs
 * to the firm: it runs as long as it is on, also after its author has left.
 */
export async function createRule(ctx: AccountContext, input: Input): Promise<TicketRuleOfContract> {
  const { workspace, em, now } = ctx;
  await publishChange(ctx, workspace.id, ['rules']);
  await lockAutomation(ctx, workspace.id);
  await checkReferences(ctx, input);
  const { rows } = await sql<{ count: number; last: number }>`
    select count(*)::integer as count, coalesce(max(position), 0) as last
    from ticket_rules where workspace_id = ${workspace.id}`.execute(ctx.db);
  const { count, last } = rows[0]!;
  if (count >= MAX_RULES) throw new ApiError('rule_limit_reached');
  const { id } = em.create(TicketRule, {
    workspaceId: workspace.id,
    id: newId('ticketRule', now),
    position: last + 1,
    ...columnsOf(ctx, input),
    createdAt: now,
  });
  return stored(ctx, id, 'created', null);
}

/** Replaces a rule. Throws as {@link createRule}, and `resource_not_found`. */
export async function updateRule(
  ctx: AccountContext,
  { id, ...input }: z.output<typeof UpdateRuleInput>,
): Promise<TicketRuleOfContract> {
  const { workspace, em } = ctx;
  await publishChange(ctx, workspace.id, ['rules']);
  await lockAutomation(ctx, workspace.id);
  const rule = await em.findOneOrFail(TicketRule, { workspaceId: workspace.id, id });
  await checkReferences(ctx, input);
  const before = recorded(rule);
  em.assign(rule, columnsOf(ctx, input));
  return stored(ctx, id, 'changed', before);
}

/** Deletes a rule. Throws `resource_not_found`. */
export async function deleteRule(ctx: AccountContext, { id }: { id: string }): Promise<TicketRules> {
  const { workspace, em } = ctx;
  await publishChange(ctx, workspace.id, ['rules']);
  await lockAutomation(ctx, workspace.id);
  em.remove(await em.findOneOrFail(TicketRule, { workspaceId: workspace.id, id }));
  await record(ctx, id, 'deleted');
  await deriveAutomation(ctx, workspace.id);
  await deleteUnusedWaits(ctx, workspace.id);
  return listRules(ctx);
}

/** Moves a rule before another one, or to the end. Throws `resource_not_found`, `validation_failed`. */
export async function moveRule(
  ctx: AccountContext,
  { id, before }: z.output<typeof MoveRuleInput>,
): Promise<TicketRules> {
  const { workspace, em } = ctx;
  await publishChange(ctx, workspace.id, ['rules']);
  await lockAutomation(ctx, workspace.id);
  const order = { orderBy: { position: 'asc', id: 'asc' } } as const;
  const rules = await em.find(TicketRule, { workspaceId: workspace.id }, order);
  const moved = rules.find((rule) => rule.id === id);
  if (!moved) throw new ApiError('resource_not_found');
  if (before === id) return listRules(ctx);
  const others = rules.filter((rule) => rule !== moved);
  const at = before === null ? others.length : others.findIndex((rule) => rule.id === before);
  if (at < 0) throw invalidField('before', 'must be the id of a rule of this firm');
  others.splice(at, 0, moved);
  for (const [i, rule] of others.entries()) rule.position = i + 1;
  await em.flush();
  await record(ctx, id, 'moved');
  return listRules(ctx);
}

/** Compares a rule with the firm's latest tickets, as they are now, and says when it would first run for each. Changes nothing. */
export async function previewRule(
  { db, workspace, now }: AccountContext,
  { trigger, conditions }: z.output<typeof PreviewRuleInput>,
): Promise<RulePreview> {
  const values: unknown[] = [workspace.id, RULE_PREVIEW_TICKETS];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const query = CompiledQuery.raw(
    `select t.id, '#' || t.number as number, t.subject, ${firstRun(trigger, now, bind)} as runs_at,
       ${ruleCondition(conditions, 'latest', now, bind)} as holds
     from (select l.* from tickets l where l.workspace_id = $1 order by l.created_at desc, l.id desc limit $2) t
     order by t.created_at desc, t.id desc`,
    values,
  );
  type Row = RulePreview['matches'][number] & { holds: boolean };
  const { rows } = await db.executeQuery<Row>(query as CompiledQuery<Row>);
  return {
    object: 'rule_preview',
    compared: rows.length,
    matches: rows.filter(({ holds }) => holds).map(({ holds: _, ...ticket }) => ticket),
  };
}

function columnsOf({ identity }: AccountContext, input: Input) {
  const { name, enabled, trigger, conditions, actions, stops } = input;
  const authorId = identity.user.id;
  return { name, isOn: enabled, trigger, conditions, actions, stops, authorId, pausedBecause: null };
}

/** Returns what the audit trail says about a rule: no texts. */
function recorded({ isOn, trigger, stops }: Pick<TicketRule, 'isOn' | 'trigger' | 'stops'>) {
  return { enabled: isOn, trigger, stops };
}

async function stored(
  ctx: AccountContext,
  id: string,
  what: 'created' | 'changed',
  before: ReturnType<typeof recorded> | null,
): Promise<TicketRuleOfContract> {
  await deriveAutomation(ctx, ctx.workspace.id);
  await deleteUnusedWaits(ctx, ctx.workspace.id);
  const rule = await readRule(ctx, id);
  if (rule.enabled) await recordFirstRuns(ctx, ctx.workspace.id, rule.trigger);
  const after = recorded({ ...rule, isOn: rule.enabled });
  await record(ctx, id, what, { ...(before && { before }), after });
  return rule;
}

async function record(
  ctx: AccountContext,
  id: string,
  what: 'created' | 'changed' | 'deleted' | 'moved',
  values: Pick<NewAuditEvent, 'before' | 'after'> = {},
): Promise<void> {
  const actor = { kind: 'account', id: ctx.identity.user.id } as const;
  await recordAudit({ ...ctx, actor }, ctx.workspace.id, {
    action: `rule.${what}`,
    target: { type: 'rule', id },
    ...values,
  });
}

/** Throws `validation_failed` for an agent, a team, a tag or a macro that is not of the firm. */
async function checkReferences(ctx: AccountContext, { conditions, actions }: Input): Promise<void> {
  const { db, workspace } = ctx;
  const changes = actions.filter(isChange);
  const targets = await readActionTargets(ctx, workspace.id, changes);
  const macros = actions.flatMap((action) => (action.set === 'macro' ? action.macro : []));
  const notified = actions.flatMap((action) => (action.set === 'notification' ? (action.agent ?? []) : []));
  const { assignee, team, tag } = conditions.filter;
  const named = {
    assignee: idsOf(assignee),
    team: idsOf(team).map(Number),
    tag: idsOf(tag).map(Number),
  };
  const { rows } = await sql<{ macros: string[]; agents: string[]; teams: number[]; tags: number[] }>`
    select array(select id from macros where workspace_id = ${workspace.id} and id = any(${macros}::text[])) as macros,
      array(select u.id from memberships m join users u on u.id = m.user_id
        where m.workspace_id = ${firmIdOf(workspace.id)} and u.id = any(${[...notified, ...named.assignee]}::text[]) and ${sql.raw(IS_AGENT)}) as agents,
      array(select id from teams where workspace_id = ${workspace.id} and id = any(${named.team}::bigint[])) as teams,
      array(select id from tags where workspace_id = ${workspace.id} and id = any(${named.tag}::bigint[])
        and deleted_at is null) as tags`.execute(db);
  const found = rows[0]!;
  for (const [i, action] of actions.entries()) {
    const isKnown =
      action.set === 'macro'
        ? found.macros.includes(action.macro)
        : action.set === 'notification'
          ? action.agent === null || found.agents.includes(action.agent)
          : !isChange(action) || findAction(action, targets) !== undefined;
    if (!isKnown)
      throw invalidField(`actions[${i}]`, 'must name an agent, a team, a tag or a macro of this firm');
  }
  if (named.assignee.some((id) => !found.agents.includes(id)))
    throw invalidField('conditions.filter.assignee', 'must be the id of an agent of this firm');
  if (named.team.some((id) => !found.teams.includes(id)))
    throw invalidField('conditions.filter.team', 'must be the id of a team of this firm');
  if (named.tag.some((id) => !found.tags.includes(id)))
    throw invalidField('conditions.filter.tag', 'must be the id of a tag of this firm');
}

function idsOf(filter: string | undefined): string[] {
  return (readChoice(filter)?.values ?? []).filter((value) => value !== 'none');
}

function isChange(action: RuleAction): action is Extract<RuleAction, TicketAction> {
  return !['macro', 'note', 'notification', 'assistant'].includes(action.set);
}
