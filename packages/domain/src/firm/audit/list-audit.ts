import type { AuditEntry, AuditPage, ListAuditInput } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../../platform/process/clock.ts';
import { startOfDay } from '../../platform/search/start-of-day.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

interface Row {
  id: string | number;
  created_at: string;
  actor_kind: AuditEntry['actor']['kind'];
  actor: string | null;
  actor_name: string | null;
  network: string | null;
  action: string;
  target_type: string;
  target_id: string;
  target_name: string | null;
  before: AuditEntry['before'];
  after: AuditEntry['after'];
}

/** Returns a page of the firm's audit trail. */
export async function listAudit(
  ctx: AccountContext,
  { person, kind, target, since, until, limit, starting_after }: z.output<typeof ListAuditInput>,
): Promise<z.input<typeof AuditPage>> {
  const { db, workspace, identity } = ctx;
  const zone = identity.user.timezone;
  const conditions = [sql`e.workspace_id = ${workspace.id}`];
  // An index has what is not about tickets, and one what is about a target.
  if (target === undefined) conditions.push(sql`e.target_type <> 'ticket'`);
  else conditions.push(sql`e.target_id = ${target}`);
  if (person !== undefined) conditions.push(sql`e.actor = ${person}`);
  if (kind !== undefined) conditions.push(sql`e.target_type = ${kind}`);
  if (since !== undefined) conditions.push(sql`e.created_at >= ${startOfDay(since, zone)}::timestamptz`);
  if (until !== undefined)
    conditions.push(sql`e.created_at < ${startOfDay(dayAfter(until), zone)}::timestamptz`);
  if (starting_after !== undefined) {
    const [time, id] = starting_after.split('.').map(Number);
    conditions.push(sql`(e.created_at, e.id) < (${new Date(time!).toISOString()}::timestamptz, ${id!})`);
  }
  const { rows } = await sql<Row>`
    select e.id, e.created_at, e.actor_kind, e.actor, a.name as actor_name, e.network, e.action, e.target_type, e.target_id,
      ${nameOfTarget(workspace.id)} as target_name, e.before, e.after
    from audit_events e
    left join users a on e.actor_kind = 'account' and a.id = e.actor
    where ${sql.join(conditions, sql` and `)}
    order by e.created_at desc, e.id desc limit ${limit + 1}`.execute(db);
  await nameKeys(ctx, rows);
  const data = rows.slice(0, limit).map(toEntry);
  const last = rows.length > limit ? data.at(-1)! : null;
  return {
    data,
    meta: {
      has_more: last !== null,
      next_cursor: last && `${new Date(last.created_at).getTime()}.${last.id}`,
    },
  };
}

/** Names the keys of a page. A statement of its own: on a cluster, keys are not beside a firm's rows. */
async function nameKeys({ db, workspace }: AccountContext, rows: readonly Row[]): Promise<void> {
  const keys = rows.filter(({ target_type }) => target_type === 'token');
  if (keys.length === 0) return;
  const { rows: named } = await sql<{ id: string; name: string }>`
    select id, name from tokens
    where workspace_id = ${workspace.id} and kind = 'api_key' and id = any(${keys.map((key) => key.target_id)})`.execute(
    db,
  );
  const names = new Map(named.map(({ id, name }) => [id, name]));
  for (const key of keys) key.target_name = names.get(key.target_id) ?? null;
}

/**
 * The name that the object of the entry `e` has today, other than a key; null once it is deleted. Not those of calendars and sessions, which only their owners
 * see.
 */
function nameOfTarget(firm: number): RawBuilder<string | null> {
  const named = (table: string, column: string, id = sql`e.target_id`) => sql`(
    select t.${sql.ref(column)} from ${sql.table(table)} t where t.workspace_id = ${firm}::integer and t.id = ${id})`;
  const number = sql`e.target_id::integer`;
  return sql`case e.target_type
    when 'user' then (select t.name from users t where t.id = e.target_id)
    when 'firm' then (select t.name from workspaces t where t.slug = e.target_id)
    when 'invite' then ${named('invites', 'email')}
    when 'team' then ${named('teams', 'name', number)}
    when 'tag' then ${named('tags', 'name', number)}
    when 'mailbox' then ${named('mailboxes', 'email', number)}
    when 'macro' then ${named('macros', 'name')}
    when 'rule' then ${named('ticket_rules', 'name')}
    when 'webhook' then ${named('webhook_endpoints', 'url')}
    when 'article' then ${named('knowledge_articles', 'title')}
  end`;
}

function toEntry({
  id,
  actor_kind,
  actor,
  actor_name,
  target_type,
  target_id,
  target_name,
  ...row
}: Row): AuditEntry {
  return {
    object: 'audit_event',
    ...row,
    id: Number(id),
    actor: { kind: actor_kind, id: actor, name: actor_name },
    target: { type: target_type, id: target_id, name: target_name },
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
