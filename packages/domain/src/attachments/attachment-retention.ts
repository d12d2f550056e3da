import { UNSENT_ATTACHMENT_DAYS } from '@firmdesk/contract';
import type { Retention } from '../platform/database/retention.ts';
import { allFirms } from '../platform/distribution/all-firms.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import type { Services } from '../platform/services.ts';
import { deleteAttachments } from './delete-attachments.ts';

interface Due {
  workspace_id: number;
  id: string;
}

const UNSENT = 'part_of is null and deleted_at is null';

/**
 * Files that no message contains are first marked as deleted, so that nobody can send them any more. Marked files are deleted with
 * their contents, once uploads that were in progress have ended.
 */
export const attachmentRetentions: readonly Retention[] = [
  {
    kind: 'unsent_attachments',
    keptMs: UNSENT_ATTACHMENT_DAYS * DAY_MS,
    since: 'since it was announced',
    oldest: (isAmong) =>
      `select min(created_at) as at from attachments where ${UNSENT} and ${isAmong('workspace_id')}`,
    prune: (services, before, limit) =>
      eachFirm(services, `created_at < $1 and ${UNSENT}`, before, limit, async (workspaceId, ids) => {
        const { rowCount } = await services.pool.query(
          `update attachments set deleted_at = $3 where workspace_id = $1 and id = any($2) and ${UNSENT}`,
          [workspaceId, ids, services.clock.now().toISOString()],
        );
        return rowCount ?? 0;
      }),
  },
  {
    kind: 'deleted_attachments',
    // As long as `createAttachment` counts their bytes, and longer than an upload takes.
    keptMs: 60 * MINUTE_MS,
    since: 'since it was removed, or the account of its trader or author was erased',
    oldest: (isAmong) =>
      `select min(deleted_at) as at from attachments where deleted_at is not null and ${isAmong('workspace_id')}`,
    prune: (services, before, limit) =>
      eachFirm(services, 'deleted_at < $1', before, limit, (workspaceId, ids) =>
        deleteAttachments(services, workspaceId, ids.length, ids),
      ),
  },
];

/** Finds rows of all firms, and handles those of each firm together. Returns how many were handled. */
async function eachFirm(
  { firmServers }: Services,
  where: string,
  before: Date,
  limit: number,
  handle: (workspaceId: number, ids: string[]) => Promise<number>,
): Promise<number> {
  const due = await firmServers.readAll<Due>({
    text: (isAmong) => `${allFirms('retention')}
      select workspace_id, id from attachments where ${where} and ${isAmong('workspace_id')} limit $2`,
    values: [before.toISOString(), limit],
  });
  let handled = 0;
  for (const [workspaceId, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id))
    handled += await handle(
      workspaceId,
      rows.map(({ id }) => id),
    );
  return handled;
}
