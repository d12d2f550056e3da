import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, PAGE, pagesOf } from './context.ts';

export async function* exportNotifications({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'notifications'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: string | null) =>
      db
        .selectFrom('notifications')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? '00000000-0000-0000-0000-000000000000')
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const page of pages)
    yield page.map(({ id, user_id, kind, person_id, title, body, action_url, read_at, created_at }) => ({
      key: id,
      id,
      user: user_id,
      firm: slug,
      kind: kind as SeedRecordInput<'notifications'>['kind'],
      ...(person_id !== null && { person: person_id }),
      title,
      ...(body !== null && { body }),
      action_url,
      ...(read_at !== null && { read_at }),
      created_at,
    }));
}

export async function* exportPreRegistrations({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'pre_registrations'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: string | null) =>
      db
        .selectFrom('affiliate_pre_registrations')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const page of pages)
    yield page.map(({ workspace_id: _, metadata, expires_at, claimed_at, ...row }) => ({
      key: row.id,
      firm: slug,
      ...row,
      metadata: metadata as Record<string, unknown>,
      ...(expires_at !== null && { expires_at }),
      ...(claimed_at !== null && { claimed_at }),
    }));
}
