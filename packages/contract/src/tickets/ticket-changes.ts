import * as z from 'zod';
import { Timestamp } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_TICKET_TAGS } from '../values/limits.ts';
import { TicketPriority, TicketRef, TicketStatus } from './tickets.ts';

/** Whether the caller is notified of each new message of the trader. */
export const FollowTicketInput = TicketRef.extend({ following: z.boolean() });
export const TicketFollowing = z.object({
  object: z.literal('ticket_following'),
  ticket_id: idOf('ticket'),
  following: z.boolean(),
});
export type TicketFollowing = z.infer<typeof TicketFollowing>;

/** Omitted fields stay unchanged; null removes the agent or the team. */
export const AssignInput = TicketRef.extend({
  assignee: idOf('user').nullable().optional(),
  team: IntegerId.nullable().optional(),
});

export const SetPriorityInput = TicketRef.extend({ priority: TicketPriority });

/** The new tags of the ticket, which replace the old ones. */
export const SetTagsInput = TicketRef.extend({ tags: z.array(IntegerId).max(MAX_TICKET_TAGS) });

/** The statuses that the team may set. A ticket becomes `open` by switching the assistant on. */
export const SetStatusInput = TicketRef.extend({
  status: z.enum(['awaiting_admin', 'awaiting_trader', 'resolved', 'closed']),
});

/** The status that the ticket had before it was resolved or closed. */
export const UndoEndInput = TicketRef.extend({
  status: z.enum(['open', 'awaiting_admin', 'awaiting_trader']),
});

/** Null: the ticket is not snoozed. Without a time, it is snoozed until the trader writes. */
const Snooze = z.object({ until: Timestamp.nullable() }).nullable();

/** What is set back, if the ticket still has what is `expected`. The end of a ticket can be undone for 15 seconds. */
export const UndoChangesInput = AssignInput.extend({
  priority: TicketPriority.optional(),
  status: UndoEndInput.shape.status.optional(),
  snooze: Snooze.optional(),
  add_tags: z.array(IntegerId).max(MAX_TICKET_TAGS).default([]),
  remove_tags: z.array(IntegerId).max(MAX_TICKET_TAGS).default([]),
  expected: z
    .object({
      ...AssignInput.omit({ ticket: true }).shape,
      priority: TicketPriority.optional(),
      status: TicketStatus.optional(),
      snooze: Snooze.optional(),
    })
    .default({}),
});

/** Without a time, the ticket is snoozed until the trader writes. */
export const SnoozeInput = TicketRef.extend({ until: Timestamp.nullable().meta({ examples: [null] }) });

export const SwitchAssistantInput = TicketRef.extend({ enabled: z.boolean() });
export const BlockAssistantInput = TicketRef.extend({ blocked: z.boolean() });
