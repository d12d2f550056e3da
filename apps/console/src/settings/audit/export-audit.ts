import type { AuditEntry, AuditKind } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { firm } from '../../session/firm.ts';
import { toast } from '../../shell/toast.ts';
import { download } from '../download.ts';
import { toCsv, toJsonLines } from './audit-texts.ts';

export interface AuditFilters {
  kind?: AuditKind;
  person?: string;
  target?: string;
  since?: string;
  until?: string;
}

/** The most entries of one file. */
const MAX_EXPORTED = 10_000;

/** Downloads the entries that match, the newest first, page by page. */
export async function exportAudit(filters: AuditFilters, form: 'jsonl' | 'csv'): Promise<void> {
  const entries: AuditEntry[] = [];
  let from: string | null = null;
  do {
    const { data, meta }: Awaited<ReturnType<typeof client.firm.audit.list.query>> =
      await client.firm.audit.list.query({ ...filters, limit: 100, ...(from && { starting_after: from }) });
    entries.push(...data);
    from = meta.next_cursor;
  } while (from !== null && entries.length < MAX_EXPORTED);
  const text = form === 'csv' ? toCsv(entries) : toJsonLines(entries);
  download(`audit-${firm}.${form}`, text, form === 'csv' ? 'text/csv' : 'application/x-ndjson');
  if (from !== null)
    toast.success(`The newest ${entries.length} entries were exported. Choose days to export others.`);
}
