import * as z from 'zod';
import { VisibleLine } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_VIEW_NAME, MAX_VISIBLE_VIEWS } from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { TicketViewSearch } from './ticket-filter.ts';

const ViewName = VisibleLine.max(MAX_VIEW_NAME).meta({
  description: 'Unique among the views of the account or the team',
});

/** A named list of tickets. It belongs to an account, or is shared with a team, whose members can change it. */
export const TicketView = z.object({
  object: z.literal('ticket_view'),
  id: idOf('ticketView'),
  name: z.string(),
  /** The team with which it is shared; null for a view of the caller only. */
  team: IntegerId.nullable(),
  search: TicketViewSearch,
});
export type TicketView = z.infer<typeof TicketView>;

/** The caller's views, in the caller's order. */
export const TicketViewList = z.object({ object: z.literal('ticket_views'), views: z.array(TicketView) });
export type TicketViewList = z.infer<typeof TicketViewList>;

export const CreateTicketViewInput = z.object({
  name: ViewName,
  team: IntegerId.nullable().default(null),
  search: TicketViewSearch,
});

export const TicketViewRef = z.object({ id: idOf('ticketView') });

/** Omitted fields stay unchanged. `team`: shares the view with a team, or makes it the caller's own. */
export const UpdateTicketViewInput = TicketViewRef.extend({
  name: ViewName.optional(),
  team: IntegerId.nullable().optional(),
  search: TicketViewSearch.optional(),
});

export const TicketViewDeleted = z.object({
  object: z.literal('ticket_view_deleted'),
  id: idOf('ticketView'),
});

/** The ids of the caller's views in the wanted order. Views that are not named come after them. */
export const OrderTicketViewsInput = z.object({ views: z.array(idOf('ticketView')).max(MAX_VISIBLE_VIEWS) });

/** How many tickets each view of the caller has, a few seconds old. */
export const TicketViewCounts = z.object({
  object: z.literal('ticket_view_counts'),
  /** By the view's id. Null if they could not be counted in time. */
  counts: z.record(z.string(), z.int().nullable()),
});
export type TicketViewCounts = z.infer<typeof TicketViewCounts>;

export const StreamTicketViewsInput = z.object({ lastEventId: LastEventId });

export const TicketViewStreamEvent = z.discriminatedUnion('type', [
  /** Views of the caller or of a team were saved, changed, moved, shared or deleted: fetch the list again. */
  z.object({ type: z.literal('ticket_views.changed') }),
  z.object({ type: z.literal('resync') }),
]);
export type TicketViewStreamEvent = z.infer<typeof TicketViewStreamEvent>;
