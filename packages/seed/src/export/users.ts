import { sql } from 'kysely';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, PAGE, pagesOf, rowsBy } from './context.ts';

export async function* exportFirms({
  sql: db,
  workspaceId,
  now,
}: ExportContext): AsyncGenerator<SeedRecordInput<'firms'>[]> {
  const firm = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const { rows } = await sql<{ used: number }>`
    select used from assistant_usage
    where workspace_id = ${workspaceId} and month = ${month}::date`.execute(db);
  yield [
    {
      slug: firm.slug,
      name: firm.name,
      assistant: {
        enabled_for_team: firm.assistant_enabled_for_team,
        monthly_allowance: firm.assistant_monthly_allowance,
        used: rows[0]?.used ?? 0,
      },
      ...(firm.logo !== null && { logo: firm.logo }),
      push_content: firm.push_content,
      service_targets: firm.sla_policy,
      language: firm.language,
      timezone: firm.timezone,
      ...(firm.audit_days !== null && { audit_days: firm.audit_days }),
      asks_satisfaction: firm.asks_satisfaction,
      ...(firm.assistant_guide !== null && { assistant_guide: firm.assistant_guide }),
    },
  ];
}

/** Where a firm's rows name accounts, which need not be its members: former ones, and staff. */
const REFERENCES = [
  ['mailbox_members', 'user_id'],
  ['calendars', 'owner_id'],
  ['calendar_shares', 'user_id'],
  ['event_reminders', 'user_id'],
  ['team_members', 'user_id'],
  ['tickets', 'trader_id'],
  ['tickets', 'assignee_id'],
  ['ticket_messages', 'author_id'],
  ['notifications', 'user_id'],
  ['notifications', 'person_id'],
  ['ticket_rules', 'author_id'],
  ['ticket_views', 'user_id'],
  ['ticket_followers', 'user_id'],
  ['reply_drafts', 'user_id'],
  ['unsent_replies', 'author_id'],
  ['delayed_sends', 'author_id'],
  ['ended_invitations', 'user_id'],
] as const;

/** Exports the members of the firm, then the other accounts that its rows name. */
export async function* exportUsers(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'users'>[]> {
  const { sql: db, workspaceId } = ctx;
  const members = pagesOf(
    ({ user_id }) => user_id,
    (after: string | null) =>
      db
        .selectFrom('memberships')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '>', after ?? '')
        .orderBy('user_id')
        .limit(PAGE)
        .execute(),
  );
  for await (const page of members)
    yield await readUsers(
      ctx,
      page.map(({ user_id }) => user_id),
    );
  const others = new Set<string>();
  for (const [table, column] of REFERENCES) {
    const { rows } = await sql<{ id: string }>`
      select distinct ${sql.ref(`r.${column}`)} as id from ${sql.table(table)} as r
      where r.workspace_id = ${workspaceId} and ${sql.ref(`r.${column}`)} is not null and not exists (
        select from memberships m
        where m.workspace_id = ${workspaceId} and m.user_id = ${sql.ref(`r.${column}`)})`.execute(db);
    for (const { id } of rows) others.add(id);
  }
  const ids = [...others].sort();
  for (let first = 0; first < ids.length; first += PAGE)
    yield await readUsers(ctx, ids.slice(first, first + PAGE));
}

async function readUsers(ctx: ExportContext, ids: readonly string[]): Promise<SeedRecordInput<'users'>[]> {
  const { sql: db, slug } = ctx;
  const users = await db.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const memberships = await rowsBy(ctx, 'memberships', 'user_id', ids);
  const profiles = await rowsBy(ctx, 'trader_profiles', 'user_id', ids);
  const availability = await rowsBy(ctx, 'agent_availability', 'user_id', ids);
  const mutes = await rowsBy(ctx, 'notification_mutes', 'user_id', ids, ['kind']);
  const profileOf = (id: string) => {
    const [profile] = profiles(id);
    if (!profile) return {};
    const { country, language, timezone, verification, data, layout } = profile;
    return { profile: { country, language, timezone, verification, data, layout } };
  };
  const setBy = (id: string) => {
    const { available = true, ticket_limit = null } = availability(id)[0] ?? {};
    return {
      available,
      ...(ticket_limit !== null && { ticket_limit }),
      muted: mutes(id).map(({ kind, channels }) => ({ kind, channels })),
    };
  };
  return users.map(({ id, email, name, avatar_url, language, timezone, deleted_at }) => ({
    key: id,
    id,
    email,
    name,
    ...(avatar_url !== null && { avatar_url }),
    language,
    timezone,
    deleted: deleted_at !== null,
    memberships: memberships(id).map(({ role, active, permissions }) => ({
      firm: slug,
      role,
      active,
      permissions: [...permissions],
      ...profileOf(id),
      ...setBy(id),
    })),
  }));
}
