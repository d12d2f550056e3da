import { avatarHash, ensureSandbox, hashPassword, issueToken } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idsAt, serialIds } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeFirms(ctx: ImportContext, firms: readonly SeedRecord<'firms'>[]): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = await serialIds(
    ctx.sql,
    'workspaces',
    firms.map(() => ({})),
  );
  const rows = firms.map(({ slug, name, assistant, push_content, service_targets, ...settings }, i) => ({
    id: ids[i]!,
    slug,
    name,
    logo: settings.logo ?? null,
    logo_hash: settings.logo == null ? null : avatarHash(settings.logo),
    push_content,
    language: settings.language,
    timezone: settings.timezone,
    audit_days: settings.audit_days ?? null,
    asks_satisfaction: settings.asks_satisfaction,
    assistant_guide: settings.assistant_guide ?? null,
    assistant_enabled_for_team: assistant.enabled_for_team,
    assistant_monthly_allowance: assistant.monthly_allowance,
    sla_policy: service_targets ?? null,
    created_at: now,
  }));
  await insertRows(ctx.sql, 'workspaces', rows);
  for (const [i, { assistant }] of firms.entries()) {
    // The usage in the file is that of this month.
    if (assistant.used > 0)
      await sql`insert into assistant_usage (workspace_id, month, used)
        values (${ids[i]!}, ${`${now.slice(0, 7)}-01`}, ${assistant.used})`.execute(ctx.sql);
  }
  for (const { slug, id } of rows) ctx.workspaces.set(slug, id);
}

export async function writeUsers(ctx: ImportContext, users: readonly SeedRecord<'users'>[]): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'user',
    users.map(() => now),
  );
  const hashes = await Promise.all(
    users.map(({ password }) => (password == null ? null : hashPassword(password))),
  );
  const rows = users.map((user, i) => ({
    id: user.id ?? ids[i]!,
    email: user.email,
    name: user.name,
    password_hash: hashes[i]!,
    avatar_url: user.avatar_url ?? null,
    avatar_hash: user.avatar_url == null ? null : avatarHash(user.avatar_url),
    language: user.language,
    timezone: user.timezone,
    is_staff: user.staff != null,
    staff_of_all_firms: user.staff?.firms === 'all',
    created_at: now,
    deleted_at: user.deleted ? now : null,
  }));
  for (const [i, { id, name, email }] of rows.entries()) {
    const { key } = users[i]!;
    ctx.idMap.set('users', key, id);
    ctx.people.set(key, { id, name, email });
  }
  const staffFirms = users.flatMap(({ key, staff }) =>
    Array.isArray(staff?.firms)
      ? [...new Set(staff.firms)].map((slug) => ({
          user_id: person(ctx, key).id,
          workspace_id: workspaceId(ctx, slug),
        }))
      : [],
  );
  const memberships = users.flatMap(({ key, memberships }) =>
    memberships.map(({ firm, role, active, permissions }) => ({
      workspace_id: workspaceId(ctx, firm),
      user_id: person(ctx, key).id,
      role,
      active,
      permissions: [...new Set(permissions)],
      created_at: now,
    })),
  );
  const profiles = users.flatMap(({ key, memberships }) =>
    memberships.flatMap(({ firm, profile }) =>
      profile == null
        ? []
        : {
            workspace_id: workspaceId(ctx, firm),
            user_id: person(ctx, key).id,
            country: profile.country,
            language: profile.language,
            timezone: profile.timezone,
            verification: profile.verification,
            data: profile.data,
            layout: profile.layout,
            updated_at: now,
          },
    ),
  );
  const ofMembers = users.flatMap(({ key, memberships }) =>
    memberships.map(({ firm, ...settings }) => ({
      workspace_id: workspaceId(ctx, firm),
      user_id: person(ctx, key).id,
      ...settings,
    })),
  );
  const availability = ofMembers
    .filter(({ available, ticket_limit }) => !available || ticket_limit != null)
    .map(({ workspace_id, user_id, available, ticket_limit }) => ({
      workspace_id,
      user_id,
      available,
      ticket_limit: ticket_limit ?? null,
    }));
  const mutes = ofMembers.flatMap(({ workspace_id, user_id, muted }) =>
    muted.map(({ kind, channels }) => ({ workspace_id, user_id, kind, channels })),
  );
  await insertRows(ctx.sql, 'users', rows);
  await insertRows(ctx.sql, 'staff_firms', staffFirms);
  await insertRows(ctx.sql, 'memberships', memberships);
  await insertRows(ctx.sql, 'trader_profiles', profiles);
  await insertRows(ctx.sql, 'agent_availability', availability);
  await insertRows(ctx.sql, 'notification_mutes', mutes);
}

export async function writeTags(ctx: ImportContext, tags: readonly SeedRecord<'tags'>[]): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = await serialIds(ctx.sql, 'tags', tags);
  const rows = tags.map(({ firm, name, color, deleted }, i) => ({
    id: ids[i]!,
    workspace_id: workspaceId(ctx, firm),
    name,
    color,
    deleted_at: deleted ? now : null,
    created_at: now,
  }));
  await insertRows(ctx.sql, 'tags', rows);
  for (const [i, { key }] of tags.entries()) ctx.idMap.set('tags', key, ids[i]!);
}

export async function writeTokens(
  ctx: ImportContext,
  tokens: readonly SeedRecord<'tokens'>[],
): Promise<void> {
  const date = (text: string | null | undefined) => (text == null ? null : new Date(timestampOf(ctx, text)));
  for (const record of tokens) {
    const firm = workspaceId(ctx, record.firm);
    const { token, text } = issueToken(ctx, {
      userId: person(ctx, record.user).id,
      workspaceId: record.environment === 'test' ? await ensureSandbox(ctx.sql, firm, ctx.now) : firm,
      kind: record.kind,
      environment: record.environment,
      scopes: record.scopes,
      name: record.name ?? null,
      createdAt: date(record.created_at) ?? ctx.now,
      lastUsedAt: date(record.last_used_at),
      expiresAt: date(record.expires_at),
      revokedAt: date(record.revoked_at),
    });
    ctx.tokens.set(record.key, token);
    ctx.plaintexts.set(record.key, text);
  }
  await ctx.em.flush();
  ctx.em.clear();
}
