import * as z from 'zod';
import { Limit, pageOf, Timestamp } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_BULK_IDS } from '../values/limits.ts';
import { bulkChangeStates, bulkSkipReasons, lostRights } from '../values/schema-enumerations.ts';
import { TicketFilter } from './ticket-filter.ts';
import { TicketPriority } from './tickets.ts';

/** One change of many tickets. Null removes the agent or the team. */
export const BulkChangeAction = z.discriminatedUnion('set', [
  z.object({ set: z.literal('assignee'), assignee: idOf('user').nullable() }),
  z.object({ set: z.literal('team'), team: IntegerId.nullable() }),
  z.object({ set: z.literal('priority'), priority: TicketPriority }),
  z.object({
    set: z.literal('status'),
    status: z.enum(['awaiting_admin', 'awaiting_trader', 'resolved', 'closed']),
  }),
  z.object({ set: z.literal('add_tag'), tag: IntegerId }),
  z.object({ set: z.literal('remove_tag'), tag: IntegerId }),
]);
export type BulkChangeAction = z.infer<typeof BulkChangeAction>;

const TicketIds = z.array(idOf('ticket')).max(MAX_BULK_IDS);

/** The tickets are named by `tickets`, or are those that match `filter` at the time of the call, without `except`. */
export const StartBulkChangeInput = z
  .object({
    tickets: TicketIds.min(1).optional(),
    filter: TicketFilter.optional(),
    except: TicketIds.default([]),
    action: BulkChangeAction,
  })
  .refine(({ tickets, filter }) => (tickets === undefined) !== (filter === undefined), {
    path: ['tickets'],
    message: 'must be given, or else `filter`, but not both',
  });

export const BulkChangeRef = z.object({ id: idOf('bulkChange') });

/** A change of many tickets, which runs in the background. `changed` and `skipped` grow up to `tickets` while it runs. */
export const BulkChange = z.object({
  object: z.literal('bulk_change'),
  id: idOf('bulkChange'),
  action: BulkChangeAction,
  state: z.enum(bulkChangeStates),
  /** Why it was stopped, also once it is undone; null if it was not. */
  stopped_because: z.enum(lostRights).nullable(),
  tickets: z.int(),
  changed: z.int(),
  skipped: z.int(),
  /** How many of the changed tickets have their earlier value back. */
  undone: z.int(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type BulkChange = z.infer<typeof BulkChange>;

/** The bulk changes of the firm that were stopped and not undone, newest first. */
export const StoppedBulkChanges = z.object({ data: z.array(BulkChange) });
export const BulkSkipReason = z.enum(bulkSkipReasons);
export type BulkSkipReason = z.infer<typeof BulkSkipReason>;

export const SkippedTicket = z.object({
  id: idOf('ticket'),
  /** Null for a ticket that does not exist. */
  number: z.string().nullable(),
  subject: z.string().nullable(),
  reason: BulkSkipReason,
});
export type SkippedTicket = z.infer<typeof SkippedTicket>;

/** `starting_after`: `next_cursor` of the page before. */
export const ListSkippedTicketsInput = BulkChangeRef.extend({
  limit: Limit,
  starting_after: z
    .string()
    .regex(/^\d{1,9}\.\d{1,9}$/, 'must be `next_cursor` of the page before')
    .optional(),
});
export const SkippedTicketPage = pageOf(SkippedTicket);
