import type { RawBuilder } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { eventsWrite } from '../../platform/events/append-events.ts';

/** The subject of all mail events of a firm. */
export const MAIL = 'mail';

/** Publishes that messages of some mailboxes of a firm have changed, to the accounts that may read them. */
export async function publishMail(
  ctx: OperationContext,
  workspaceId: number,
  mailboxIds: Iterable<number>,
): Promise<void> {
  const distinct = [...new Set(mailboxIds)];
  if (distinct.length === 0) return;
  // Outside of a transaction, the statement is what commits.
  const told: (() => void)[] = [];
  const write = mailChangedWrite(
    { ...ctx, afterCommit: (action) => void told.push(action) },
    workspaceId,
    distinct,
  );
  await write.execute(ctx.db);
  told.forEach(ctx.afterCommit);
}

/** Returns the write of {@link publishMail}, for `executeWrites`: at least one mailbox. Subscribers are told after the commit. */
export function mailChangedWrite(
  ctx: OperationContext,
  workspaceId: number,
  mailboxIds: readonly number[],
): RawBuilder<unknown> {
  return eventsWrite(
    ctx,
    workspaceId,
    mailboxIds.map((address_id) => ({ subject: MAIL, type: 'mail.changed', body: { address_id } })),
  );
}
