import * as z from 'zod';
import { ticketSorts } from './enumerations.ts';
import { VisibleLine } from './fields.ts';
import { idOf } from './ids.ts';
import { MAX_QUERY_LENGTH } from './limits.ts';
import { ListTicketsInput, TicketPriority } from './tickets.ts';

const { status, assignee, team, tag, snoozed, q } = ListTicketsInput.shape;

/**
 * The filters of a ticket list: each selects all tickets where it is omitted, except `snoozed` ({@link snoozedIn}). `q` has words, `"phrases"`, `-words` and `-"phrases"`
 * ({@link parseSearchTerms}), or is the id of a ticket or trader. `from` has words of the trader's name or address. `before` and `after`
 * are days in the caller's time zone: the latest message is before the day, or not before it. `due`: the next SLA target was missed (`breached`), is due within minutes or was missed (`60m`), or
 * exists (`set`). `is`: it has messages that the team has not read.
 */
export const TicketFilter = z.object({
  status: status.unwrap().optional(),
  assignee: assignee.unwrap().optional(),
  team: team.unwrap().optional(),
  priority: TicketPriority.optional(),
  tag: tag.unwrap().optional(),
  snoozed: snoozed.unwrap().optional(),
  q,
  from: VisibleLine.max(MAX_QUERY_LENGTH).optional(),
  before: z.iso.date().optional(),
  after: z.iso.date().optional(),
  has: z.enum(['attachment']).optional(),
  is: z.enum(['unread']).optional(),
  due: z
    .string()
    .regex(/^(set|breached|[1-9]\d{0,3}m)$/, 'must be "set", "breached" or a number of minutes such as "60m"')
    .optional(),
});
export type TicketFilter = z.infer<typeof TicketFilter>;

/** The filters and the order of a saved view. */
export const TicketViewSearch = TicketFilter.extend({ sort: z.enum(ticketSorts).optional() });
export type TicketViewSearch = z.infer<typeof TicketViewSearch>;

/** A page of a filtered list. */
export const SearchTicketsInput = TicketFilter.extend({
  sort: ListTicketsInput.shape.sort,
  limit: ListTicketsInput.shape.limit,
  starting_after: ListTicketsInput.shape.starting_after,
});

/** How many tickets of a list are previewed at once. */
const MAX_PREVIEWS = 100;

export const PreviewTicketsInput = z.object({ tickets: z.array(idOf('ticket')).min(1).max(MAX_PREVIEWS) });

/** What a list shows of tickets beside their subjects. A ticket without a message, or that the caller may not see, has none. */
export const TicketPreviews = z.object({
  object: z.literal('ticket_previews'),
  data: z.array(
    z.object({
      ticket_id: idOf('ticket'),
      text: z
        .string()
        .meta({ description: 'The beginning of the latest message to or from the trader, in one line' }),
    }),
  ),
});
export type TicketPreviews = z.infer<typeof TicketPreviews>;
