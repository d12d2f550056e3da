import { getWorkspace, listWorkspaces } from '../../access/workspaces.ts';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { countPendingTexts, indexFirm } from './search-index.ts';

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
    const total = await countPendingTexts(services, id);
    const indexed =
      total === 0
        ? 0
        : await indexFirm(services, id, {
            waits: true,
            onProgress: (indexed) => onProgress?.(slug, indexed, total),
          });
    results.push({
      workspace: slug,
      indexed,
      pending: total === 0 ? 0 : await countPendingTexts(services, id),
    });
  }
  return results;
}
