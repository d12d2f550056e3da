import { MAX_RULE_EFFECTS } from '@firmdesk/contract';
import { CompiledQuery, sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { isUnavailable } from '../../platform/database/database-errors.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { isServed } from '../../platform/jobs/suspended-firms.ts';
import type { Services } from '../../platform/services.ts';
import { lockTickets, type TicketState } from '../ticket-state.ts';
import { pauseRule, tellOfLimit } from './pause-rule.ts';
import { TicketRule } from './rule.entity.ts';
import { ruleCondition } from './rule-conditions.ts';
import { applyRule, RuleFailure } from './rule-effects.ts';
import { eventValueOf, type RuleEvent, runRulesJob, TIMED_EVENTS } from './rule-event-writes.ts';

interface EventRow {
  id: string;
  event: RuleEvent;
  chain: string[];
}

/** What failed, and the rule that did it. */
class FailedRule extends Error {
  readonly rule: string;
  constructor(rule: string, cause: unknown) {
    super('A rule has failed.', { cause });
    this.rule = rule;
  }
}

const HOUR_MS = 3_600_000;

/**
 * Handles {@link runRulesJob}: runs the firm's rules for what has happened to a ticket, in order. Each event is one transaction, which holds
 * the ticket's lock, has all effects and deletes the event. So each rule runs once for each event, whatever workers do. A rule that fails
 * is switched off, and the event is run again without it.
 */
export async function runRules(
  services: Services,
  { workspace, ticket }: z.infer<(typeof runRulesJob)['payload']>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    try {
      if (!(await withTransaction(services, (ctx) => runNext(ctx, workspace, ticket)))) return;
    } catch (error) {
      if (!(error instanceof FailedRule)) throw error;
      if (!(error.cause instanceof RuleFailure))
        services.log.error({ workspace, ticket, rule: error.rule, err: error.cause }, 'a rule has failed');
      const because =
        error.cause instanceof RuleFailure ? error.cause.message : 'It failed with an internal error.';
      await withTransaction(services, (ctx) => pauseRule(ctx, workspace, error.rule, because));
    }
  }
}

/** Finds tickets for which time has come, in all firms: a wait or an SLA target is over. */
export const runDueRulesJob = defineJob('tickets.run_due_rules', z.object({}));

/** The tickets that are read at once. */
const BATCH = 100;

/** Handles {@link runDueRulesJob}. */
export async function runDueRules(
  services: Services,
  _payload: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const done: string[] = [];
  while (!signal?.aborted) {
    const found = await services.firmServers.readAll<{ workspace_id: number; ticket_id: string }>({
      text: (isAmong) => `${allFirms('rule-events')}
        select distinct workspace_id, ticket_id from rule_events
        where due_at <= $1 and ${isAmong('workspace_id')} and ${isServed('workspace_id')}
          and ticket_id <> all($3::text[]) limit $2`,
      values: [services.clock.now().toISOString(), BATCH, done],
    });
    for (const { workspace_id: workspace, ticket_id: ticket } of found) {
      done.push(ticket);
      try {
        await services.firmServers.run(workspace, () => runRules(services, { workspace, ticket }, signal));
      } catch (error) {
        services.log.error({ workspace, ticket, err: error }, 'the rules of a ticket cannot be run');
      }
    }
    if (found.length < BATCH) return;
  }
}

/** Runs the rules for the ticket's next event. Returns whether there can be more. */
async function runNext(ctx: OperationContext, workspaceId: number, id: string): Promise<boolean> {
  const [locked] = await lockTickets(ctx, workspaceId, [id]);
  if (!locked) return false;
  const next = await readNext(ctx, workspaceId, id);
  if (!next) return false;
  const used = await usedEffects(ctx, workspaceId, 0);
  if (used >= MAX_RULE_EFFECTS) {
    const afterMs = HOUR_MS - (ctx.now.getTime() % HOUR_MS);
    const key = `tickets.run_rules:${id}:later`;
    await enqueue(ctx, runRulesJob, { workspace: workspaceId, ticket: id }, { key, afterMs });
    return false;
  }
  await sql`delete from rule_events where workspace_id = ${workspaceId} and id = ${next.id}`.execute(ctx.db);
  if (locked.ticket.merged_into !== null || !isCurrent(next.event, locked.ticket)) return true;
  const effects = await runFor(ctx, locked.ticket, next);
  if (effects === 0) return true;
  const after = await usedEffects(ctx, workspaceId, effects);
  if (after >= MAX_RULE_EFFECTS && after - effects < MAX_RULE_EFFECTS) await tellOfLimit(ctx, workspaceId);
  return true;
}

async function readNext(
  { db, now }: OperationContext,
  workspaceId: number,
  id: string,
): Promise<EventRow | undefined> {
  // What has happened comes in the order in which it did, whatever clocks say.
  const isTimed = sql`(kind = any(${[...TIMED_EVENTS]}::text[]))`;
  const { rows } = await sql<EventRow>`
    select id, body || jsonb_build_object('on', kind) as event, chain from rule_events
    where workspace_id = ${workspaceId} and ticket_id = ${id} and (due_at <= ${now.toISOString()} or not ${isTimed})
    order by ${isTimed}, case when ${isTimed} then due_at end, id limit 1`.execute(db);
  return rows[0];
}

/** Returns whether that still holds of a ticket for which a time was set. */
function isCurrent(event: RuleEvent, ticket: TicketState): boolean {
  if (event.on === 'waiting') {
    const status = event.for === 'team' ? 'awaiting_admin' : 'awaiting_trader';
    return ticket.status === status && isSameTime(ticket.last_message_at, event.since);
  }
  return event.on !== 'sla_breached' || isSameTime(ticket[`${event.target}_due_at`], event.due);
}

const isSameTime = (a: string | null, b: string) => a !== null && Date.parse(a) === Date.parse(b);

/** Counts effects of the firm in this hour. Returns how many there were. */
async function usedEffects(
  { db, now }: OperationContext,
  workspaceId: number,
  more: number,
): Promise<number> {
  const hour = new Date(now.getTime() - (now.getTime() % HOUR_MS)).toISOString();
  const { rows } =
    more === 0
      ? await sql<{ effects: number }>`
          select effects from rule_usage where workspace_id = ${workspaceId} and hour = ${hour}`.execute(db)
      : await sql<{ effects: number }>`
          insert into rule_usage as u (workspace_id, hour, effects) values (${workspaceId}, ${hour}, ${more})
          on conflict (workspace_id) do update set hour = excluded.hour,
            effects = case when u.hour = excluded.hour then u.effects + excluded.effects else excluded.effects end
          returning effects`.execute(db);
  return rows[0]?.effects ?? 0;
}

/** Runs the rules for an event of a locked ticket, in the firm's order. Returns how many effects they had. */
async function runFor(
  ctx: OperationContext,
  ticket: TicketState,
  { event, chain }: EventRow,
): Promise<number> {
  const { workspace_id: workspaceId, id } = ticket;
  const all = await ctx.em.find(
    TicketRule,
    { workspaceId, isOn: true },
    { orderBy: { position: 'asc', id: 'asc' } },
  );
  const rules = all.filter((rule) => isFor(rule, event, ticket) && !chain.includes(rule.id));
  let { assignee } = event;
  let effects = 0;
  const ran: string[] = [];
  let holds = await compare(ctx, ticket, rules, event);
  for (const [i, rule] of rules.entries()) {
    if (!holds[i]) continue;
    let had: number;
    try {
      const cause = { kind: 'rule', id: rule.id, chain: [...chain, ...ran], depth: event.depth } as const;
      had = await applyRule({ ...ctx, cause }, workspaceId, id, {
        name: rule.name,
        actions: rule.actions,
        assignee,
      });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      throw new FailedRule(rule.id, error);
    }
    effects += had;
    if (rule.stops) break;
    if (had === 0) continue;
    ran.push(rule.id);
    const [locked] = await lockTickets(ctx, workspaceId, [id]);
    // A later rule may assign what an earlier one has assigned.
    if (ticket.assignee_id === event.assignee) assignee = locked!.ticket.assignee_id;
    const later = await compare(ctx, locked!.ticket, rules.slice(i + 1), event);
    holds = [...holds.slice(0, i + 1), ...later];
  }
  return effects;
}

/** Returns whether a rule waits for an event. For a property that has changed again since, there is a later event. */
function isFor({ trigger }: TicketRule, event: RuleEvent, ticket: TicketState): boolean {
  if (trigger.on !== event.on) return false;
  if (trigger.on === 'property_changed' && event.on === 'property_changed')
    return event.changed[trigger.property] === eventValueOf(trigger.property, ticket);
  if (trigger.on === 'waiting' && event.on === 'waiting')
    return trigger.for === event.for && trigger.minutes === event.minutes;
  return true;
}

/** Returns for each rule whether its conditions hold. */
async function compare(
  { db, now }: OperationContext,
  { workspace_id, id }: TicketState,
  rules: readonly TicketRule[],
  event: RuleEvent,
): Promise<boolean[]> {
  if (rules.length === 0) return [];
  const values: unknown[] = [workspace_id, id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const message = 'message' in event ? { id: event.message } : 'latest';
  const conditions = rules.map(({ conditions }) => ruleCondition(conditions, message, now, bind));
  const query = CompiledQuery.raw(
    `select array[${conditions.join(', ')}] as holds from tickets t where t.workspace_id = $1 and t.id = $2`,
    values,
  );
  const { rows } = await db.executeQuery<{ holds: boolean[] }>(query as CompiledQuery<{ holds: boolean[] }>);
  return rows[0]?.holds ?? [];
}
