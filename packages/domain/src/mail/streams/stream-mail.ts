import type { MailStreamEvent, StreamMailInput } from '@firmdesk/contract';
import { tracked } from '@trpc/server';
import type { z } from 'zod';
import { newContext } from '../../platform/database/transaction.ts';
import type { StreamEvent } from '../../platform/events/subscriber.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import { readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { MAIL } from './publish-mail.ts';

/**
 * Streams changes of the mailboxes that the caller may read, from now on or after `lastEventId`. These are the mailboxes at the
 * start of the subscription.
 */
export async function streamMail(
  { services, identity, workspace }: AccountContext,
  { lastEventId }: z.output<typeof StreamMailInput>,
  signal: AbortSignal,
): Promise<TrackedStream<MailStreamEvent>> {
  let readable = new Set<number>();
  const isFor = ({ type, body }: Pick<StreamEvent, 'type' | 'body'>) =>
    type === 'resync' || readable.has((body as { address_id: number }).address_id);
  const events = await services.live.follow({
    topic: { workspaceId: workspace.id, subject: MAIL },
    isFor,
    lastEventId,
    async findStart(received) {
      const rows = await readableMailboxes({ ...newContext(services), identity, workspace })
        .select('b.id')
        .execute();
      readable = new Set(rows.map(({ id }) => id));
      return services.live.resumeOrEnd(workspace.id, received);
    },
    signal,
  });
  return eventsFor(events, isFor);
}

/** Yields the events that concern the caller. Those that are read from the log are of every mailbox. */
async function* eventsFor(events: AsyncIterable<StreamEvent>, isFor: (event: StreamEvent) => boolean) {
  for await (const event of events) {
    const { id, type, body } = event;
    if (isFor(event)) yield tracked(id, { type, ...body } as MailStreamEvent);
  }
}
