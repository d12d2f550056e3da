import type { InboxStreamEvent, StreamInboxInput } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../../procedures/call-context.ts';
import { streamTopic } from '../../procedures/stream-topic.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import { ticketEventToWire } from './publish.ts';
import { inboxTopic } from './topics.ts';

/** Streams every changed ticket of the firm, from now on or after the viewer's last event. */
export function streamInbox(
  ctx: AccountContext,
  input: z.output<typeof StreamInboxInput>,
  signal: AbortSignal,
): Promise<TrackedStream<InboxStreamEvent>> {
  return streamTopic(ctx, inboxTopic(ctx.workspace.id), input, signal, ticketEventToWire(ctx.services));
}
