import { TRASH_DAYS } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Retention } from '../../platform/database/retention.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { type ReaderContext, writableMailbox } from '../mailboxes/mailbox-access.ts';
import { deleteLocked } from './delete-messages.ts';

/** How many messages one call deletes: with their files it takes well below a second. */
const MAX_EMPTIED = 500;

/** Deletes messages in the trash of a mailbox permanently, with their files. Throws `resource_not_found` (the caller may not write from the mailbox). */
export async function emptyTrash(
  ctx: ReaderContext,
  { address_id }: { address_id: number },
): Promise<{ deleted: number; has_more: boolean }> {
  const { db, workspace } = ctx;
  const mailbox = await writableMailbox(ctx, address_id).executeTakeFirst();
  if (!mailbox) throw new ApiError('resource_not_found');
  const found = await db
    .selectFrom('mail_messages')
    .select(['id', 'mailbox_id'])
    .where('workspace_id', '=', workspace.id)
    .where('mailbox_id', '=', mailbox.id)
    .where('folder', '=', 'trash')
    .orderBy('id')
    .limit(MAX_EMPTIED)
    .forUpdate()
    .execute();
  if (found.length > 0) await deleteLocked(ctx, workspace.id, found);
  return { deleted: found.length, has_more: found.length === MAX_EMPTIED };
}

const TRASHED = "m.folder = 'trash' and m.trashed_at is not null";

/** Messages in the trash, with their files. */
export const trashRetention: Retention = {
  kind: 'mail_trash',
  keptMs: TRASH_DAYS * DAY_MS,
  since: 'since it was moved to the trash',
  oldest: (isAmong) =>
    `select min(m.trashed_at) as at from mail_messages m where ${TRASHED} and ${isAmong('m.workspace_id')}`,
  async prune(services, before, limit) {
    const due = await services.firmServers.readAll<{ workspace_id: number; id: string }>({
      text: (isAmong) => `${allFirms('retention')}
        select m.workspace_id, m.id from mail_messages m
        where ${TRASHED} and m.trashed_at < $1 and ${isAmong('m.workspace_id')}
        order by m.trashed_at limit $2`,
      values: [before.toISOString(), limit],
    });
    let deleted = 0;
    for (const [firm, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id)) {
      deleted += await withTransaction(services, async (ctx) => {
        const { rows: found } = await sql<{ id: string; mailbox_id: number }>`
          select m.id, m.mailbox_id from mail_messages m
          where m.workspace_id = ${firm} and m.id = any(${rows.map(({ id }) => id)})
            and m.folder = 'trash' and m.trashed_at < ${before.toISOString()}
          order by m.id for update of m skip locked`.execute(ctx.db);
        if (found.length > 0) await deleteLocked(ctx, firm, found);
        return found.length;
      });
    }
    return deleted;
  },
  /** A process of an earlier version has recorded no time. */
  async mark({ pool, firmServers, clock }) {
    const found = await firmServers.readAll<{ workspace_id: number; id: string }>({
      text: (isAmong) => `${allFirms('retention')}
        select m.workspace_id, m.id from mail_messages m
        where m.folder = 'trash' and m.trashed_at is null and ${isAmong('m.workspace_id')} limit 1000`,
      values: [],
    });
    for (const [firm, rows] of Map.groupBy(found, ({ workspace_id }) => workspace_id)) {
      await pool.query(
        `update mail_messages set trashed_at = $3 where workspace_id = $1 and id = any($2) and folder = 'trash' and trashed_at is null`,
        [firm, rows.map(({ id }) => id), clock.now().toISOString()],
      );
    }
  },
};
