import { sql } from 'kysely';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOfTable } from './context.ts';

/** The articles of a page: each can have a long text. */
const ARTICLES = 50;

export async function* exportMailTemplates({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'mail_templates'>[]> {
  const { rows } = await sql<Omit<SeedRecordInput<'mail_templates'>, 'firm'>>`
    select k.key as kind, l.key as language, l.value->>'subject' as subject, l.value->>'text' as text
    from workspaces w cross join jsonb_each(w.mail_templates) k cross join jsonb_each(k.value) l
    where w.id = ${workspaceId} order by 1, 2`.execute(db);
  yield rows.map((row) => ({ firm: slug, ...row }));
}

export async function* exportArticles(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'articles'>[]> {
  for await (const page of pagesOfTable(ctx, 'knowledge_articles', ARTICLES))
    yield page.map(({ id, title, text, updated_at }) => ({
      key: id,
      id,
      firm: ctx.slug,
      title,
      text,
      updated_at,
    }));
}

/** Exports endpoints without their secrets: who has the file must not be able to sign events. */
export async function* exportWebhooks({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'webhooks'>[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'description', 'events', 'disabled', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  yield rows.map(({ id, disabled, ...endpoint }) => ({
    key: id,
    id,
    firm: slug,
    ...endpoint,
    ...(disabled !== null && { disabled }),
  }));
}

export async function* exportTicketRules({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'ticket_rules'>[]> {
  const rows = await db
    .selectFrom('ticket_rules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  yield rows.map(({ id, name, is_on, trigger, conditions, actions, stops, author_id, ...rest }) => ({
    key: id,
    id,
    firm: slug,
    author: author_id,
    name,
    enabled: is_on,
    trigger,
    conditions,
    actions,
    stops,
    ...(rest.paused_because !== null && { paused_because: rest.paused_because }),
    created_at: rest.created_at,
  }));
}

export async function* exportEndedInvitations(
  ctx: ExportContext,
): AsyncGenerator<SeedRecordInput<'ended_invitations'>[]> {
  for await (const page of pagesOfTable(ctx, 'ended_invitations'))
    yield page.map(
      ({ user_id, uid, occurrence, sender_email, organizer_email, sequence, stamp, ended_at }) => ({
        firm: ctx.slug,
        user: user_id,
        uid,
        ...(occurrence !== null && { occurrence }),
        sender: sender_email,
        ...(organizer_email !== null && { organizer: organizer_email }),
        sequence,
        ...(stamp !== null && { stamp }),
        ended_at,
      }),
    );
}
