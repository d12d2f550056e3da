import { getWorkspace, listWorkspaces } from '../access/workspaces/workspaces.ts';
import { mailTexts } from '../mail/search/mail-texts.ts';
import { newContext } from '../platform/database/transaction.ts';
import { countPendingTexts, indexFirmTexts } from '../platform/search/index-texts.ts';
import type { Services } from '../platform/services.ts';
import { ticketTexts } from '../tickets/search/search-index.ts';

/** The texts of tickets and of mail. */
const searched = [ticketTexts, mailTexts];

/** The indexed texts of a firm. */
export interface IndexedFirm {
  workspace: string;
  indexed: number;
  /** The texts that are still pending: those that a writer had locked, or that were written meanwhile. */
  pending: number;
}

/**
 * Indexes the pending texts of all firms, or of one, now instead of by the job. Takes turns with a job that indexes the same
 * firm. Throws `resource_not_found` if there is no such firm.
 */
export async function indexPendingTexts(
  services: Services,
  {
    workspace,
    onProgress,
  }: {
    /** The firm's slug. */
    workspace?: string | undefined;
    onProgress?: (workspace: string, indexed: number, total: number) => void;
  },
): Promise<IndexedFirm[]> {
  const ctx = newContext(services);
  const firms = workspace === undefined ? await listWorkspaces(ctx) : [await getWorkspace(ctx, workspace)];
  const results: IndexedFirm[] = [];
  for (const { id, slug } of firms) {
    const countPending = async () => {
      const counts = await Promise.all(searched.map((texts) => countPendingTexts(services, texts, id)));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const total = await countPending();
    let indexed = 0;
    for (const texts of total === 0 ? [] : searched) {
      const before = indexed;
      indexed += await indexFirmTexts(services, texts, id, {
        waits: true,
        onProgress: (done) => onProgress?.(slug, before + done, total),
      });
    }
    results.push({ workspace: slug, indexed, pending: total === 0 ? 0 : await countPending() });
  }
  return results;
}
