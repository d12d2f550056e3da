import {
  type AttendanceEvent,
  type AttendTicketInput,
  idPrefixes,
  type PresenceEvent,
} from '@firmdesk/contract';
import type { TrackedEnvelope } from '@trpc/server';
import type { z } from 'zod';
import type { SubjectPresence } from '../../platform/presence/attendance.ts';
import type { PresenceChange } from '../../platform/presence/presence.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { attend, presenceEvent, presenceStream, toViewers } from '../../procedures/presence-stream.ts';
import type { DeliveredStream, TrackedStream } from '../../procedures/tracked-stream.ts';

/** Streams who has which tickets of the firm open: first all, then each ticket that changes. */
export function streamPresence(
  { services, workspace }: AccountContext,
  signal: AbortSignal,
): DeliveredStream<PresenceEvent> {
  return presenceStream<PresenceEvent>(signal, (deliver) => {
    const { current, stop } = services.presence.follow(workspace.id, (change) => {
      const event = changeOf(change);
      if (event) deliver(event);
    });
    deliver(presenceEvent({ type: 'presence', is_all: true, tickets: ticketsOf(current) }));
    return stop;
  });
}

/** Returns one event for all followers, so that it is serialized once; null for a change of other things than tickets. */
function changeOf(change: PresenceChange): TrackedEnvelope<PresenceEvent> | null {
  if (change.sent === undefined) {
    const tickets = ticketsOf(change.subjects);
    change.sent = tickets.length === 0 ? null : presenceEvent({ type: 'presence', is_all: false, tickets });
  }
  return change.sent as TrackedEnvelope<PresenceEvent> | null;
}

function ticketsOf(subjects: readonly SubjectPresence[]): PresenceEvent['tickets'] {
  return subjects
    .filter(({ subject }) => subject.startsWith(idPrefixes.ticket))
    .map((each) => ({ ticket: each.subject, viewers: toViewers(each) }));
}

/**
 * Shows colleagues that the caller has a ticket open, and whether they type, until the subscription ends, and not while the client
 * does not answer. Throws `resource_not_found`.
 */
export async function attendTicket(
  ctx: AccountContext,
  { ticket, typing }: z.output<typeof AttendTicketInput>,
  signal: AbortSignal,
): Promise<TrackedStream<AttendanceEvent>> {
  const { rowCount } = await ctx.services.pool.query(
    'select from tickets where id = $1 and workspace_id = $2',
    [ticket, ctx.workspace.id],
  );
  if (!rowCount) throw new ApiError('resource_not_found');
  return presenceStream<AttendanceEvent>(signal, (deliver) => {
    const leave = attend(ctx, { subject: ticket, isTyping: typing });
    deliver(presenceEvent({ type: 'attending' }));
    return leave;
  });
}
