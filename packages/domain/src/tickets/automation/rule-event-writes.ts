import { MAX_RULE_DEPTH, type RuleProperty } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob, jobWrite } from '../../platform/jobs/jobs.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { TicketState } from '../ticket-state.ts';
import type { TicketAutomation } from './ticket-automation.ts';

/** Runs the firm's rules for what has happened to a ticket. */
export const runRulesJob = defineJob(
  'tickets.run_rules',
  z.object({ workspace: z.int(), ticket: z.string() }),
);

/** What happened to a ticket, for which rules run. `assignee`: the agent at that time. `depth`: how many events of rules led to it. */
export type RuleEvent = { assignee: string | null; depth: number } & (
  | { on: 'ticket_arrived' | 'trader_wrote'; message: string }
  /** The new values; of tags none. */
  | { on: 'property_changed'; changed: Partial<Record<RuleProperty, unknown>> }
  /** The ticket begins to wait: `since` is its last message. */
  | { on: 'waiting'; for: 'team' | 'trader'; minutes: number; since: string }
  | { on: 'sla_warned' }
  | { on: 'sla_breached'; target: 'first_response' | 'resolution'; due: string }
);

/** What happens at a time, if it still holds then. */
export const TIMED_EVENTS = ['waiting', 'sla_breached'] as const satisfies RuleEvent['on'][];

/** What a change of a ticket is caused by. */
export interface Happening {
  /** The message of the trader that is stored with the change. */
  traderMessage?: string | undefined;
  /** Whether a message was written that the trader sees. */
  isVisible?: boolean;
  hasNewTags?: boolean;
}

type Content = RuleEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'assignee' | 'depth'>
    : never
  : never;
interface Due {
  content: Content;
  at: Date;
}

/** Returns the writes that record what rules wait for, and the job that runs them. The caller holds the ticket's lock, so events are in order. */
export function ruleEventWrites(
  ctx: OperationContext,
  automation: TicketAutomation,
  before: TicketState,
  after: TicketState,
  happening: Happening,
): RawBuilder<unknown>[] {
  const { workspace_id, id } = after;
  const { cause } = ctx;
  const chain = cause?.kind === 'rule' ? [...cause.chain, cause.id] : [];
  const depth = cause?.kind === 'rule' ? cause.depth + 1 : 0;
  if (automation.on.length === 0 || depth > MAX_RULE_DEPTH) return [];
  const writes: RawBuilder<unknown>[] = [];
  const due: Due[] = happenedNow(automation, before, after, happening).map((content) => ({
    content,
    at: ctx.now,
  }));
  if (due.length > 0)
    writes.push(
      jobWrite(ctx, runRulesJob, { workspace: workspace_id, ticket: id }, { key: `tickets.run_rules:${id}` }),
    );
  for (const [on, isReplaced, later] of [
    ['waiting', happening.isVisible || after.status !== before.status, waits(ctx.now, automation, after)],
    ['sla_breached', isDueElse(before, after), breaches(after)],
  ] as const) {
    if (!automation.on.includes(on) || !isReplaced) continue;
    writes.push(sql`
      delete from rule_events
      where workspace_id = ${workspace_id} and ticket_id = ${id} and kind = ${on} and due_at > ${ctx.now.toISOString()}`);
    due.push(...later);
  }
  if (due.length > 0) {
    const rows = due.map(({ content: { on, ...body }, at }) => {
      const stored = JSON.stringify({ ...body, assignee: after.assignee_id, depth });
      return sql`(${workspace_id}::integer, ${id}, ${on}, ${stored}::jsonb, ${chain}::text[], ${at.toISOString()}::timestamptz)`;
    });
    writes.push(sql`
      insert into rule_events (workspace_id, ticket_id, kind, body, chain, due_at) values ${sql.join(rows)}`);
  }
  return writes;
}

function happenedNow(
  { on, properties }: TicketAutomation,
  before: TicketState,
  after: TicketState,
  { traderMessage, hasNewTags }: Happening,
): Content[] {
  const happened: Content[] = [];
  if (traderMessage !== undefined)
    happened.push({
      on: before.last_written_at === null ? 'ticket_arrived' : 'trader_wrote',
      message: traderMessage,
    });
  const changed = properties.filter((property) =>
    property === 'tags' ? hasNewTags : eventValueOf(property, before) !== eventValueOf(property, after),
  );
  if (changed.length > 0)
    happened.push({
      on: 'property_changed',
      changed: Object.fromEntries(changed.map((property) => [property, eventValueOf(property, after)])),
    });
  if (
    (after.first_response_warned && !before.first_response_warned) ||
    (after.resolution_warned && !before.resolution_warned)
  )
    happened.push({ on: 'sla_warned' });
  return happened.filter((content) => on.includes(content.on));
}

/** Returns the value of a property that an event has: that of tags it does not. */
export function eventValueOf(property: RuleProperty, ticket: TicketState): unknown {
  switch (property) {
    case 'status':
      return ticket.status;
    case 'priority':
      return ticket.priority;
    case 'assignee':
      return ticket.assignee_id;
    case 'team':
      return ticket.team_id;
    case 'assistant':
      return ticket.ai_enabled;
    case 'tags':
      return null;
  }
}

function waits(
  now: Date,
  { waits }: TicketAutomation,
  { status, last_message_at: since }: TicketState,
): Due[] {
  const waitsFor = status === 'awaiting_admin' ? 'team' : status === 'awaiting_trader' ? 'trader' : null;
  return waits
    .filter((wait) => wait.for === waitsFor)
    .map((wait) => ({
      content: { on: 'waiting', ...wait, since },
      at: new Date(now.getTime() + wait.minutes * MINUTE_MS),
    }));
}

function isDueElse(before: TicketState, after: TicketState): boolean {
  return (
    after.first_response_due_at !== before.first_response_due_at ||
    after.resolution_due_at !== before.resolution_due_at
  );
}

function breaches(after: TicketState): Due[] {
  return (['first_response', 'resolution'] as const).flatMap((target) => {
    const due = after[`${target}_due_at`];
    return due === null ? [] : [{ content: { on: 'sla_breached', target, due }, at: new Date(due) }];
  });
}
