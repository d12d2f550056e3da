import { ApiError, type OperationContext, type Services, withTransaction } from '@firmdesk/domain';
import { sql } from 'kysely';
import { formatPath } from '../problems.ts';
import { type Reference, references, singular } from '../references.ts';
import { type SeedList, type SeedRecord, seedLists } from '../schema.ts';
import type { ExportContext } from './context.ts';
import { exportedLists } from './lists.ts';

export interface ExportOptions {
  /** Called after each page of records, with the number of records of the list so far. */
  onProgress?: (list: string, records: number) => void;
}

/** A record that an import file cannot contain. */
export interface LeftOut {
  list: string;
  key: string;
  reason: string;
}

export interface FirmExport {
  /** The number of exported records by list. */
  counts: Record<string, number>;
  leftOut: LeftOut[];
}

/**
 * Writes a firm as an import file, as it is at one moment: JSON text in chunks, with at most a page of records in memory. Each record has
 * the form that an import accepts; those that cannot have it are left out and listed.
 */
export async function exportFirm(
  services: Services,
  slug: string,
  write: (text: string) => Promise<void>,
  { onProgress = () => {} }: ExportOptions = {},
): Promise<FirmExport> {
  const counts: Record<string, number> = {};
  const leftOut: LeftOut[] = [];
  const missing = new Set<string>();
  const read = async ({ db, now }: OperationContext) => {
    // Finding the accounts that rows name reads whole tables, and the file can be slow.
    await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
      db,
    );
    const firm = await db.selectFrom('workspaces').selectAll().where('slug', '=', slug).executeTakeFirst();
    if (!firm) throw new ApiError('resource_not_found', { message: `There is no workspace ${slug}.` });
    const ctx: ExportContext = { sql: db, workspaceId: firm.id, slug, now };
    await write('{');
    for (const [list, pagesOf] of Object.entries(exportedLists)) {
      await write(`${Object.keys(counts).length === 0 ? '' : ','}\n"${list}": [`);
      counts[list] = 0;
      for await (const page of pagesOf(ctx)) {
        const texts: string[] = [];
        for (const record of page) {
          const reason = whyLeftOut(list as keyof typeof exportedLists, record, missing);
          if (reason === null) texts.push(JSON.stringify(record));
          else {
            const key = 'key' in record ? record.key : slug;
            leftOut.push({ list, key, reason });
            missing.add(`${list} ${key}`);
          }
        }
        if (texts.length > 0) await write(`${counts[list] > 0 ? ',' : ''}\n${texts.join(',\n')}`);
        counts[list] += texts.length;
        onProgress(list, counts[list]);
      }
      await write(']');
    }
    await write('\n}\n');
    const { rows } = await sql<{ files: number }>`
      select count(*)::integer as files from attachments
      where workspace_id = ${firm.id} and part_of is not null and deleted_at is null`.execute(db);
    if (rows[0]!.files > 0) {
      const reason = `an import file contains the names of the ${rows[0]!.files} files of messages, not their contents`;
      leftOut.push({ list: 'attachments', key: slug, reason });
    }
    return { counts, leftOut };
  };
  return withTransaction(services, read, { isSnapshot: true });
}

/** Returns why an import file cannot contain a record: its own form, or that it names a record that is left out. Null if it can. */
function whyLeftOut(list: SeedList, record: object, missing: ReadonlySet<string>): string | null {
  const parsed = seedLists[list].safeParse(record);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return `${formatPath(path as (string | number)[])}: ${message}`;
  }
  if (missing.size === 0) return null;
  const referencesOf = references[list] as (
    record: SeedRecord<SeedList>,
    firmOfCalendar: () => undefined,
  ) => Reference[];
  const named = referencesOf(parsed.data, () => undefined).find(({ to, key }) => missing.has(`${to} ${key}`));
  return named ? `${formatPath(named.path)}: the ${singular[named.to]} "${named.key}" is left out` : null;
}
