import type { AttendThreadInput, ThreadPresenceEvent } from '@firmdesk/contract';
import type { z } from 'zod';
import { newContext } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { attend, presenceEvent, presenceStream, toViewers } from '../../procedures/presence-stream.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import { readableMailboxes } from '../mailboxes/mailbox-access.ts';

/**
 * Shows colleagues that the caller has a conversation open, and whether they type, and streams who has: first all, then all after each change. Throws `resource_not_found`
 * if the caller may not read its mailbox.
 */
export async function attendThread(
  ctx: AccountContext,
  { thread, typing }: z.output<typeof AttendThreadInput>,
  signal: AbortSignal,
): Promise<TrackedStream<ThreadPresenceEvent>> {
  const { services, identity, workspace } = ctx;
  const reader = { ...newContext(services), identity, workspace };
  const found = await reader.db
    .selectFrom('mail_threads as t')
    .select('t.id')
    .where('t.workspace_id', '=', workspace.id)
    .where('t.id', '=', thread)
    .where('t.mailbox_id', 'in', readableMailboxes(reader).select('b.id'))
    .executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  const subject = `mail_thread ${thread}`;
  return presenceStream<ThreadPresenceEvent>(signal, (deliver) => {
    const { current, stop } = services.presence.follow(workspace.id, ({ subjects }) => {
      const changed = subjects.find((each) => each.subject === subject);
      if (changed) deliver(presenceEvent({ type: 'viewers', viewers: toViewers(changed) }));
    });
    const now = current.find((each) => each.subject === subject);
    deliver(presenceEvent({ type: 'viewers', viewers: now ? toViewers(now) : [] }));
    const leave = attend(ctx, { subject, isTyping: typing });
    return () => {
      leave();
      stop();
    };
  });
}
