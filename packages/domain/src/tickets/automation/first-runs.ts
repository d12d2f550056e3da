import type { RuleTrigger } from '@firmdesk/contract';
import { CompiledQuery, sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Bind } from '../../platform/search/search-index.ts';

/*
 * What a rule does with tickets that are older than it. One that waits when the rule is saved has the rest of its time: the rule runs when that
 * is over. If it is over already, the rule does not run: otherwise a new rule would change all old tickets at once. The same holds for SLA
 * targets.
 */

type Timed = Extract<RuleTrigger, { on: 'waiting' | 'sla_breached' }>;

const isTimed = (trigger: RuleTrigger): trigger is Timed =>
  trigger.on === 'waiting' || trigger.on === 'sla_breached';

const STATUS = { team: 'awaiting_admin', trader: 'awaiting_trader' } as const;

/** Returns the SQL for when a rule first runs for a ticket `t` as that is now: null if never, or if not time starts it. */
export function firstRun(trigger: RuleTrigger, now: Date, bind: Bind): string {
  if (!isTimed(trigger)) return 'null::timestamptz';
  const isLater = `> ${bind(now.toISOString())}::timestamptz`;
  if (trigger.on === 'waiting') {
    const over = overAt(trigger);
    return `case when t.status = '${STATUS[trigger.for]}' and ${over} ${isLater} then ${over} end`;
  }
  const later = (column: string) => `case when ${column} ${isLater} then ${column} end`;
  return `least(${later('t.first_response_due_at')}, ${later('t.resolution_due_at')})`;
}

const overAt = ({ minutes }: Extract<Timed, { on: 'waiting' }>) =>
  `(t.last_message_at + interval '${minutes} minutes')`;

/** Records for the tickets of the firm when a rule that was saved first runs. What is recorded already stays. */
export async function recordFirstRuns(
  { db, now }: OperationContext,
  workspaceId: number,
  trigger: RuleTrigger,
): Promise<void> {
  if (!isTimed(trigger)) return;
  const due =
    trigger.on === 'waiting'
      ? `select jsonb_build_object('for', '${trigger.for}', 'minutes', ${trigger.minutes}, 'since', t.last_message_at) as body,
           case when t.status = '${STATUS[trigger.for]}' then ${overAt(trigger)} end as at`
      : `select jsonb_build_object('target', d.target, 'due', d.at) as body, d.at
         from (values ('first_response', t.first_response_due_at), ('resolution', t.resolution_due_at)) as d (target, at)`;
  const isSame =
    trigger.on === 'waiting'
      ? `e.body ->> 'for' = '${trigger.for}' and (e.body ->> 'minutes')::integer = ${trigger.minutes}`
      : `e.body ->> 'target' = n.body ->> 'target'`;
  // Citus refuses the condition on the same table within `insert … select`.
  await db.executeQuery(
    CompiledQuery.raw(
      `with due as materialized (
         select t.id, n.body || jsonb_build_object('assignee', t.assignee_id, 'depth', 0) as body, n.at
         from tickets t cross join lateral (${due}) n
         where t.workspace_id = $1 and t.queue_rank <= 5 and n.at > $2::timestamptz
           and not exists (
             select from rule_events e where e.workspace_id = $1 and e.ticket_id = t.id and e.kind = '${trigger.on}' and ${isSame}))
       insert into rule_events (workspace_id, ticket_id, kind, body, chain, due_at)
       select $1, id, '${trigger.on}', body, '{}', at from due`,
      [workspaceId, now.toISOString()],
    ),
  );
}

/** Deletes the waits that no rule which is on has any more, so that a ticket has at most one for each rule, however often rules are saved. */
export async function deleteUnusedWaits({ db }: OperationContext, workspaceId: number): Promise<void> {
  await sql`
    delete from rule_events e where e.workspace_id = ${workspaceId} and e.kind = 'waiting' and not exists (
      select from ticket_rules r where r.workspace_id = ${workspaceId} and r.is_on and r.trigger->>'on' = 'waiting'
        and r.trigger->>'for' = e.body->>'for' and r.trigger->>'minutes' = e.body->>'minutes')`.execute(db);
}
