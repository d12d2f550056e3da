import { type SearchedTexts, searchTextOf } from './search-text.ts';

const BATCH = 500;
/** The most that is read of a description. */
const MAX_DESCRIPTION = 10_000;

/** Runs a statement without parameters, which commits. */
type Run = <Row extends object>(statement: string) => Promise<Row[]>;

/** The tables with search texts, each with the columns of its key within a firm. */
const tables = {
  events: { keys: ['id'], types: ['bigint'] },
  event_overrides: { keys: ['event_id', 'occurrence_start'], types: ['bigint', 'text'] },
} as const;

/** Makes the search texts of a firm's events that have none, in batches. An interrupted run is continued by the next one. */
export async function fillSearchTexts(run: Run, workspaceId: number): Promise<void> {
  for (const [table, { keys, types }] of Object.entries(tables)) {
    for (;;) {
      const rows = await run<SearchedTexts & Record<string, unknown>>(`
        select ${keys.join(', ')}, title, location, left(description, ${MAX_DESCRIPTION}) as description
        from ${table} where workspace_id = ${workspaceId} and search_text is null limit ${BATCH}`);
      if (rows.length === 0) break;
      const texts = rows.map((row) => ({
        ...Object.fromEntries(keys.map((key) => [key, row[key]])),
        text: searchTextOf(row),
      }));
      const json = JSON.stringify(texts).replaceAll("'", "''");
      await run(`
        update ${table} t set search_text = n.text
        from jsonb_to_recordset('${json}'::jsonb) as n (${keys.map((key, i) => `${key} ${types[i]}`).join(', ')}, text text)
        where t.workspace_id = ${workspaceId} and ${keys.map((key) => `t.${key} = n.${key}`).join(' and ')}`);
    }
  }
}
