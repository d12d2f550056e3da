import type { Services } from '../services.ts';
import type { IndexedTexts } from './indexed-texts.ts';
import { FOLDING } from './search-text.ts';

/** The number of rows that one statement reads. */
const PAGE = 1_000;

/**
 * Marks the texts of a firm as pending that may be folded differently now, so that the indexer folds them again. Each statement reads
 * a page of rows and is a transaction of its own, so that writers hardly wait. If it is stopped, the next run begins again.
 */
export async function markOldTexts(
  { pool }: Services,
  { index, tables }: IndexedTexts,
  workspaceId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const { name: table } of tables) {
    let after: string | null = '';
    while (after !== null) {
      if (signal?.aborted) return;
      const { rows }: { rows: { last: string; count: number }[] } = await pool.query(
        `with page as (
           select id, search_text as text from ${table} where workspace_id = $1 and id > $2 order by id limit $3),
         marked as (
           update ${table} t set search_pending = true from page p
           where t.workspace_id = $1 and t.id = any(array(select id from page)) and t.id = p.id and not t.search_pending
             and (octet_length(p.text) > char_length(p.text) or strpos(p.text, chr(96)) > 0))
         select max(id) as last, count(*)::integer as count from page`,
        [workspaceId, after, PAGE],
      );
      after = rows[0]!.count < PAGE ? null : rows[0]!.last;
    }
  }
  await pool.query(`update ${index.progress} set folding = $2 where workspace_id = $1`, [
    workspaceId,
    FOLDING,
  ]);
}
