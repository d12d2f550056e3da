import type { OperationContext } from '../../platform/database/context.ts';
import { appendEvents } from '../../platform/events/append-events.ts';

/** The subject of all mail events of a firm. */
export const MAIL = 'mail';

/** Publishes that messages of some mailboxes of a firm have changed, to the accounts that may read them. */
export async function publishMail(
  ctx: OperationContext,
  workspaceId: number,
  mailboxIds: Iterable<number>,
): Promise<void> {
  const events = [...new Set(mailboxIds)].map((address_id) => ({
    subject: MAIL,
    type: 'mail.changed',
    body: { address_id },
  }));
  await appendEvents(ctx, workspaceId, events);
}
