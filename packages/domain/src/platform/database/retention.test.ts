import {
  createCalendar,
  createEvents,
  createToken,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { retentions } from '../../app/retention.ts';
import { DAY_MS } from '../process/clock.ts';
import { pruneAll, type Retention, retentionFigures, retentionOfTable } from './retention.ts';

let base: TestServices;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterEach(() => base[Symbol.asyncDispose]());

const sql = (text: string, values: unknown[] = []) => base.services.pool.query(text, values);
const ago = (milliseconds: number) => new Date(base.clock.now().getTime() - milliseconds).toISOString();
const kindOf = (kind: string) => retentions.find((retention) => retention.kind === kind)!;

/** Rows of a kind: some expired by a minute, two that are not expired. */
async function fill(kind: string, old: number): Promise<void> {
  const firm = await createWorkspace(base.services);
  const user = await createUser(base.services, { firm });
  const calendar = await createCalendar(base.services, { firm, owner: user });
  const { keptMs } = kindOf(kind);
  const { id } = await createToken(base.services, { user, workspace: firm.slug, kind: 'device' });
  const rows: Record<string, (at: string) => Promise<unknown>> = {
    push_outbox: (at) =>
      sql(
        `insert into push_outbox (token_id, app, type, subject, state, due_at, expires_at, created_at, ended_at)
        values ($1, 'mail', 'test', gen_random_uuid()::text, 'sent', $2, $2, $2, $2)`,
        [id, at],
      ),
    unsent_reminders: async (at) => {
      const [event_id] = await createEvents(base.services, [
        { calendar_id: calendar, starts_at: at, ends_at: at },
      ]);
      await sql(
        `insert into unsent_reminders
          (workspace_id, event_id, user_id, minutes_before, channel, starts_at, reason, created_at)
        select workspace_id, id, $2, 5, 'email', $3, 'too_late', $3 from events where id = $1`,
        [event_id, user.id, at],
      );
    },
    failed_jobs: async (at) => {
      const { rows } = await sql(
        `select id from graphile_worker.add_job('push.send', run_at => $1::timestamptz)`,
        [at],
      );
      await sql('select from graphile_worker.permanently_fail_jobs($1::bigint[])', [[rows[0].id]]);
      // The queue uses the database's clock, which tests cannot move.
      await sql('update graphile_worker._private_jobs set updated_at = $2 where id = $1', [rows[0].id, at]);
    },
    idempotency_keys: (at) =>
      sql(
        `insert into idempotency_keys (id, body_hash, created_at)
        values (sha256(gen_random_uuid()::text::bytea), '', $1)`,
        [at],
      ),
    live_events: (at) =>
      sql(
        `insert into event_log (workspace_id, subject, type, body, created_at) values ($1, 'tkt_a', 'x', '{}', $2)`,
        [firm.id, at],
      ),
    notifications: (at) =>
      sql(
        `insert into notifications (id, workspace_id, user_id, kind, title, action_url, created_at)
        values (gen_random_uuid(), $1, $2, 'payout_requested', 'A payout', '/', $3)`,
        [firm.id, user.id, at],
      ),
    assistant_runs: (at) =>
      sql(
        `with ticket as (
          insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at,
            search_text)
          values ('tkt_' || right(gen_random_uuid()::text, 12), $1, $2, '', 'open', $3, $3, $3, '') returning id)
        insert into assistant_runs
          (workspace_id, ticket_id, kind, state, status_before, last_message_at, created_at, ended_at)
        select $1, id, 'answer', 'done', 'open', $3, $3, $3 from ticket`,
        [firm.id, user.id, at],
      ),
    reply_drafts: (at) =>
      sql(
        `with ticket as (
          insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at,
            search_text)
          values ('tkt_' || right(gen_random_uuid()::text, 12), $1, $2, '', 'open', $3, $3, $3, '') returning id)
        insert into reply_drafts (workspace_id, user_id, ticket_id, mode, text, image_url, image_name, version, updated_at)
        select $1, $2, id, 'reply', 'Paid', '', '', 'a', $3 from ticket`,
        [firm.id, user.id, at],
      ),
    unsent_replies: (at) =>
      sql(
        `with ticket as (
          insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at,
            search_text)
          values ('tkt_' || right(gen_random_uuid()::text, 12), $1, $2, '', 'open', $3, $3, $3, '') returning id)
        insert into unsent_replies (workspace_id, id, ticket_id, author_id, author, text, image_url, image_name, attachments, reason,
          written_at, unsent_at)
        select $1, replace(id, 'tkt', 'tmsg'), id, $2, 'Robin', 'Paid', '', '', '[]', 'dismissed', $3, $3 from ticket`,
        [firm.id, user.id, at],
      ),
    system_mails: (at) =>
      sql(
        `insert into outgoing_messages (workspace_id, id, user_id, kind, about, content, send_at, send_until)
        values ($1, gen_random_uuid()::text, $2, 'event_reminder', gen_random_uuid()::text, '{}', $3, $3)`,
        [firm.id, user.id, at],
      ),
    invites: (at) =>
      sql(
        `insert into invites (workspace_id, id, email, permissions, invited_by, created_at, expires_at)
        values ($1, gen_random_uuid()::text, 'olga@org.test', '{}', $2, $3, $3)`,
        [firm.id, user.id, at],
      ),
    data_requests: (at) =>
      sql(
        `insert into data_requests (workspace_id, id, kind, requested_by, created_at)
        values ($1, 'dreq_' || right(gen_random_uuid()::text, 12), 'export_firm', $2, $3)`,
        [firm.id, user.id, at],
      ),
    webhook_events: (at) =>
      sql(
        `insert into webhook_events (workspace_id, id, type, subject, person, data, created_at)
        values ($1, gen_random_uuid()::text, 'ticket.created', '', '', '{}', $2)`,
        [firm.id, at],
      ),
    ended_invitations: (at) =>
      sql(
        `insert into ended_invitations (workspace_id, user_id, uid, sender_email, sequence, ended_at)
        values ($1, $2, 'a', 'olga@org.test', 0, $3)`,
        [firm.id, user.id, at],
      ),
    audit_events: (at) =>
      sql(
        `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
        values ($1, $2, 'system', 'user.deactivated', 'user', $3)`,
        [firm.id, at, user.id],
      ),
    sessions: async (at) => {
      const { id } = await createToken(base.services, { user, workspace: firm.slug, kind: 'device' });
      await sql('update tokens set created_at = $2, last_used_at = $2 where id = $1', [id, at]);
    },
  };
  const add = rows[kind]!;
  for (let i = 0; i < old; i++) await add(ago(keptMs + 60_000 + (old - i)));
  for (const minutes of [1, 60]) await add(ago(keptMs - minutes * 60_000));
}

const tables: Record<string, string> = {
  push_outbox: 'push_outbox',
  unsent_reminders: 'unsent_reminders',
  failed_jobs: 'graphile_worker.jobs',
  idempotency_keys: 'idempotency_keys',
  live_events: 'event_log',
  notifications: 'notifications',
  assistant_runs: 'assistant_runs',
  reply_drafts: 'reply_drafts',
  unsent_replies: 'unsent_replies',
  ended_invitations: 'ended_invitations',
  system_mails: 'outgoing_messages',
  invites: 'invites',
  webhook_events: 'webhook_events',
  data_requests: 'data_requests',
  audit_events: `(select from audit_events where action = 'user.deactivated')`,
  sessions: `(select from tokens where last_used_at is not null)`,
};
async function count(kind: string): Promise<number> {
  return (await sql(`select count(*)::int as count from ${tables[kind]} as t`)).rows[0].count;
}

test.each(Object.keys(tables))(
  '%s: deletes expired rows only, in bounded batches over several runs',
  async (kind) => {
    await fill(kind, 11);
    const prune = () => pruneAll(base.services, [kindOf(kind)], { batch: 3, batches: 2 });

    await prune();
    expect(await count(kind)).toBe(13 - 6);
    expect(base.log.lines).toContainEqual({
      level: 'warn',
      message: 'expired rows remain for the next run',
      fields: { kinds: [kind] },
    });
    await prune();
    expect(await count(kind)).toBe(2);
    await prune();
    expect(await count(kind)).toBe(2);
    expect(base.services.prunedRows.get(kind)).toBe(11);
  },
);

test('logs which kinds are unfinished when the run is stopped', async () => {
  await fill('notifications', 3);
  const stop = new AbortController();
  const notifications = kindOf('notifications');
  const stopping: Retention = {
    ...notifications,
    async prune(...input) {
      stop.abort();
      return notifications.prune(...input);
    },
  };
  await pruneAll(base.services, [stopping, kindOf('push_outbox')], { batch: 1, batches: 10 }, stop.signal);
  expect(await count('notifications')).toBe(4);
  expect(base.log.lines).toContainEqual({
    level: 'warn',
    message: 'expired rows remain for the next run',
    fields: { kinds: ['notifications'] },
  });
});

test('deletes the oldest rows first', async () => {
  await fill('notifications', 5);
  const { rows } = await sql('select id from notifications order by created_at');
  await pruneAll(base.services, [kindOf('notifications')], { batch: 2, batches: 1 });
  const left = await sql('select id from notifications order by created_at');
  expect(left.rows).toEqual(rows.slice(2));
});

test('reports the age of the oldest row of each kind', async () => {
  const { keptMs } = kindOf('notifications');
  await fill('notifications', 1);
  const figures = await retentionFigures(base.services, retentions);
  expect(figures.map(({ kind }) => kind)).toEqual(retentions.map(({ kind }) => kind));
  expect(figures.find(({ kind }) => kind === 'notifications')).toEqual({
    kind: 'notifications',
    oldestMs: keptMs + 60_001,
  });
  expect(figures.find(({ kind }) => kind === 'push_outbox')!.oldestMs).toBe(0);
});

test('keeps sessions in use and API keys of any age', async () => {
  const firm = await createWorkspace(base.services);
  const user = await createUser(base.services, { firm });
  const used = await createToken(base.services, { user, workspace: firm.slug, kind: 'device' });
  const key = await createToken(base.services, { user, workspace: firm.slug, kind: 'api_key' });
  await sql('update tokens set created_at = $1', [ago(800 * DAY_MS)]);
  await sql('update tokens set last_used_at = $2 where id = $1', [used.id, ago(100 * DAY_MS)]);
  await pruneAll(base.services, [kindOf('sessions')]);
  const { rows } = await sql('select id from tokens order by id');
  expect(rows.map(({ id }) => id)).toEqual([used.id, key.id].sort());
});

test('prunes the other kinds when one fails, and fails the run', async () => {
  await fill('notifications', 3);
  const broken: Retention = retentionOfTable({
    kind: 'broken',
    keptMs: 0,
    since: 'since it was created',
    table: 'missing_table',
    at: 'created_at',
  });
  await expect(pruneAll(base.services, [broken, kindOf('notifications')])).rejects.toThrow(/missing_table/);
  expect(await count('notifications')).toBe(2);
});

test('reads only the oldest rows of the event log when pruning it, also if all are of one firm', async () => {
  await sql(
    `insert into event_log (workspace_id, subject, position, type, body, created_at)
    select 1, 'tkt_a', case when n < 4000 then n end, 'x', '{}', $1::timestamptz + n * interval '10 seconds'
    from generate_series(1, 5000) as n`,
    [ago(26 * 3_600_000)],
  );
  await sql('insert into event_log_heads (workspace_id, position) values (1, 4000)');
  await sql('analyze event_log');
  const plans: unknown[] = [];
  const pool: TestServices['services']['pool'] = Object.assign(Object.create(base.services.pool), {
    async query(statement: string | { text: string; values: unknown[] }, rest?: unknown[]) {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: rest! } : statement;
      plans.push((await sql(`explain (analyze, format json) ${text}`, values)).rows);
      return await sql(text, values);
    },
  });
  expect(
    await kindOf('live_events').prune(
      { ...base.services, pool, firmServers: base.services.firmServers.through(pool) },
      new Date(ago(86_400_000)),
      10,
    ),
  ).toBe(10);
  const read = [...JSON.stringify(plans).matchAll(/"(?:Actual Rows|Rows Removed by [^"]+)": ?(\d+)/g)];
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...read.map(([, rows]) => Number(rows)))).toBeLessThanOrEqual(10);
});

test('deletes an event with a date in the future together with the older events after it', async () => {
  const dates = [ago(3 * DAY_MS), ago(-DAY_MS), ago(2 * DAY_MS), ago(0)];
  for (const [i, at] of dates.entries())
    await sql(
      `insert into event_log (workspace_id, subject, position, type, body, created_at)
      values (1, 'tkt_a', $2, 'x', '{}', $1)`,
      [at, i + 1],
    );
  await sql('insert into event_log_heads (workspace_id, position) values (1, 4)');
  await pruneAll(base.services, [kindOf('live_events')]);
  const { rows } = await sql(
    `select count(*)::int as left, min(e.position) - min(pruned_through) as step
    from event_log e, event_log_heads h where e.workspace_id = 1 and h.workspace_id = 1`,
  );
  expect(rows).toEqual([{ left: 1, step: 1 }]);
});

test('states a bound for every table: a retention period, or what users create', async () => {
  const { rows } = await sql(
    `select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const unbounded = rows.map(({ name }) => name).filter((name) => !(name in bounds));
  expect(unbounded).toEqual([]);
});

const USER_DATA = 'what users create';
/** The bound of each table. */
const bounds: Record<string, string> = {
  mailbox_addresses: 'the mailboxes, each with one row',
  installation: 'one row',
  mikro_orm_migrations: 'a row per migration',
  imports: 'a row per imported file',
  import_batches: 'until its import ends',
  event_log: 'retention',
  event_log_heads: 'one per firm',
  assistant_runs: 'retention',
  assistant_usage: 'one per firm',
  report_days: 'per firm and day, as many as it has teams, and tags, languages, agents and macros in use',
  report_progress: 'one per firm',
  agent_availability: 'one per agent',
  assignment_turns: 'one per member of a team',
  waiting_assignments: 'one per ticket of a team, until it is assigned',
  ticket_rules: 'at most 100 per firm',
  rule_events: 'until the rules have run, at most 30 days',
  rule_usage: 'one per firm',
  ticket_ratings: 'one per ticket',
  mail_thread_tags: 'at most 20 per conversation',
  mail_usage: 'one per account',
  outgoing_messages: 'with their messages; retention of system mails',
  outgoing_recipients: 'with their messages',
  idempotency_keys: 'retention',
  notifications: 'retention',
  push_outbox: 'retention',
  unsent_reminders: 'retention',
  audit_events: 'retention',
  reply_drafts: 'retention',
  unsent_replies: 'retention',
  ended_invitations: 'retention',
  invites: 'retention',
  webhook_events: 'retention',
  data_requests: 'retention',
  webhook_deliveries: 'with their events',
  webhook_endpoints: 'at most 10 per firm, and 10 of its sandbox',
  knowledge_articles: 'at most 200 per firm',
  second_factors: 'one per account',
  recovery_codes: 'at most 10 per account',
  passkeys: 'at most 20 per account',
  sign_in_challenges: 'retention',
  sign_in_providers: 'one per firm',
  sign_in_domains: 'at most 20 per firm',
  provider_accounts: 'one per account at the provider of a firm',
  tokens: 'retention of sessions; API keys are created manually',
  devices: 'one per app and session',
  workers: 'one per running worker; a running worker deletes the rows of dead ones',
  macros: 'at most 500 per firm',
  delayed_sends: 'until they are sent, ten seconds later',
  trader_profiles: 'one per trader',
  attachments: 'retention, for files that no message contains or that are deleted; others are user data',
  bulk_changes: 'retention',
  bulk_change_batches: 'with their bulk changes',
  ticket_followers: 'one per ticket and agent who follows it',
  job_requests: 'until a worker moves them into the queue, at most a second later',
  notification_mutes: 'one per kind and user',
  mail_search_words: 'retention',
  mail_search_postings: 'with their words',
  mail_search_progress: 'one per firm',
  search_words: 'retention',
  search_postings: 'with their words',
  search_progress: 'one per firm',
  ...Object.fromEntries(
    [
      ...['workspaces', 'users', 'staff_firms', 'memberships', 'tags', 'teams', 'team_members'],
      ...['mailboxes', 'mailbox_members', 'mail_threads', 'mail_messages'],
      ...['calendars', 'calendar_shares', 'events', 'event_overrides', 'event_tags', 'event_reminders'],
      ...['tickets', 'ticket_messages', 'ticket_tags', 'ticket_links', 'affiliate_pre_registrations'],
      ...['ticket_views', 'ticket_view_orders'],
    ].map((table) => [table, USER_DATA]),
  ),
};
