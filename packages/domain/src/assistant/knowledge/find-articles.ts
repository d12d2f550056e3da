import type { ArticleRef } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { wordKeys } from './word-keys.ts';

/** A prompt has at most this many articles, and so much of their texts. */
const MAX_ARTICLES = 4;
const MAX_CHARACTERS = 16_000;
/** The words of a question that are compared. */
const MAX_WORDS = 200;

export interface FoundArticle extends ArticleRef {
  text: string;
}

/**
 * Returns the articles of a firm that fit a question, the best first. A word counts the more, the fewer articles have it. An article that shares
 * only words with it that most articles have is left out.
 */
export async function findArticles(
  { db }: OperationContext,
  workspaceId: number,
  question: string,
): Promise<FoundArticle[]> {
  const words = wordKeys(question).slice(0, MAX_WORDS);
  const { rows } = await sql<FoundArticle>`
    with matches as materialized (
      select a.id, w.word from knowledge_articles a cross join unnest(a.words) w (word)
      where a.workspace_id = ${workspaceId} and a.words && ${words}::text[] and w.word = any(${words}::text[])),
    total as (select count(*)::float8 as articles from knowledge_articles where workspace_id = ${workspaceId}),
    weights as (select word, ln(1 + total.articles / count(*)) as weight from matches, total group by word, total.articles),
    best as (
      select m.id, sum(w.weight) as score from matches m join weights w on w.word = m.word
      group by m.id order by score desc, m.id limit ${MAX_ARTICLES})
    select a.id, a.title, left(a.text, ${MAX_CHARACTERS}) as text
    from best b join knowledge_articles a on a.workspace_id = ${workspaceId} and a.id = b.id
    where b.score >= (select max(score) from best) / 4
    order by b.score desc, a.id`.execute(db);
  let room = MAX_CHARACTERS;
  return rows.filter(({ text }) => {
    if (text.length > room) return false;
    room -= text.length;
    return true;
  });
}
