import {
  type ArticleRef,
  type CreateArticleInput,
  type KnowledgeArticle,
  type KnowledgeArticleWithText,
  MAX_ARTICLES,
  type UpdateArticleInput,
  type UsedArticles,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type AuditAction, recordAudit } from '../../access/audit/audit.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Article } from './article.entity.ts';
import { wordKeys } from './word-keys.ts';

type WithText = z.infer<typeof KnowledgeArticleWithText>;

/** The newest replies of a ticket whose articles are returned. */
const MAX_USED = 200;

/** Returns the articles of the firm, by title. */
export async function listArticles({ db, workspace }: AccountContext): Promise<KnowledgeArticle[]> {
  const { rows } = await sql<Omit<KnowledgeArticle, 'object'>>`
    select id, title, length(text) as length, updated_at from knowledge_articles
    where workspace_id = ${workspace.id} order by lower(title), id`.execute(db);
  return rows.map((row) => ({ object: 'knowledge_article', ...row }));
}

/** Returns an article. Throws `resource_not_found`. */
export async function getArticle({ em, workspace }: AccountContext, id: string): Promise<WithText> {
  return toArticle(await em.findOneOrFail(Article, { workspaceId: workspace.id, id }));
}

/** Adds an article. Throws `validation_failed` beyond the maximum. */
export async function createArticle(
  ctx: AccountContext,
  { title, text }: z.output<typeof CreateArticleInput>,
): Promise<WithText> {
  const { db, em, now, workspace } = ctx;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`knowledge ${workspace.id}`}, 0))`.execute(db);
  if ((await listArticles(ctx)).length >= MAX_ARTICLES)
    throw invalidField(
      'title',
      `must not be that of a further article: the firm has ${MAX_ARTICLES}. Delete one first`,
    );
  const article = em.create(Article, {
    workspaceId: workspace.id,
    id: newId('article', now),
    title,
    text,
    words: wordKeys(`${title} ${text}`),
    updatedAt: now,
  });
  await em.flush();
  await audit(ctx, 'article.created', article.id);
  return toArticle(article);
}

/** Replaces an article. Throws `resource_not_found`. */
export async function updateArticle(
  ctx: AccountContext,
  { id, title, text }: z.output<typeof UpdateArticleInput>,
): Promise<WithText> {
  const { em, now, workspace } = ctx;
  const article = await em.findOneOrFail(Article, { workspaceId: workspace.id, id });
  Object.assign(article, { title, text, words: wordKeys(`${title} ${text}`), updatedAt: now });
  await em.flush();
  await audit(ctx, 'article.changed', id);
  return toArticle(article);
}

/** Deletes an article. Throws `resource_not_found`. */
export async function deleteArticle(ctx: AccountContext, id: string): Promise<void> {
  const { em, workspace } = ctx;
  em.remove(await em.findOneOrFail(Article, { workspaceId: workspace.id, id }));
  await em.flush();
  await audit(ctx, 'article.deleted', id);
}

/** Returns the articles on which the assistant's replies on a ticket are based, for the team. Throws `resource_not_found`. */
export async function listUsedArticles(
  { db, workspace }: AccountContext,
  ticket: string,
): Promise<z.infer<typeof UsedArticles>['data']> {
  // An imported reply has no run: its articles are named while the firm has them.
  const ofFirm = sql`(
    select jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title) order by a.title, a.id)
    from knowledge_articles a where a.workspace_id = ${workspace.id} and a.id = any(m.article_ids collate "C"))`;
  const { rows } = await sql<{ message: string | null; articles: ArticleRef[] | null }>`
    select m.id as message, coalesce(r.articles, ${ofFirm}) as articles from tickets t
    left join ticket_messages m on m.workspace_id = ${workspace.id} and m.ticket_id = t.id and m.article_ids is not null
    left join assistant_runs r on r.workspace_id = ${workspace.id} and r.ticket_id = t.id and r.message_id = m.id
      and r.articles is not null
    where t.workspace_id = ${workspace.id} and t.id = ${ticket}
    order by m.created_at desc, m.id desc limit ${MAX_USED}`.execute(db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  return rows.flatMap(({ message, articles }) => (message && articles ? [{ message, articles }] : []));
}

function toArticle({ id, title, text, updatedAt }: Article): WithText {
  const updated_at = new Date(updatedAt).toISOString();
  return { object: 'knowledge_article', id, title, text, length: text.length, updated_at };
}

function audit(
  ctx: AccountContext,
  action: Extract<AuditAction, `article.${string}`>,
  id: string,
): Promise<void> {
  const by = { ...ctx, actor: { kind: 'account' as const, id: ctx.identity.user.id } };
  return recordAudit(by, ctx.workspace.id, { action, target: { type: 'article', id } });
}
