import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOfTable } from './context.ts';

export async function* exportNotifications(
  ctx: ExportContext,
): AsyncGenerator<SeedRecordInput<'notifications'>[]> {
  for await (const page of pagesOfTable(ctx, 'notifications'))
    yield page.map(({ id, user_id, kind, person_id, title, body, action_url, read_at, created_at }) => ({
      key: id,
      id,
      user: user_id,
      firm: ctx.slug,
      kind: kind as SeedRecordInput<'notifications'>['kind'],
      ...(person_id !== null && { person: person_id }),
      title,
      ...(body !== null && { body }),
      action_url,
      ...(read_at !== null && { read_at }),
      created_at,
    }));
}

export async function* exportPreRegistrations(
  ctx: ExportContext,
): AsyncGenerator<SeedRecordInput<'pre_registrations'>[]> {
  for await (const page of pagesOfTable(ctx, 'affiliate_pre_registrations'))
    yield page.map(({ workspace_id: _, metadata, expires_at, claimed_at, ...row }) => ({
      key: row.id,
      firm: ctx.slug,
      ...row,
      metadata: metadata as Record<string, unknown>,
      ...(expires_at !== null && { expires_at }),
      ...(claimed_at !== null && { claimed_at }),
    }));
}
