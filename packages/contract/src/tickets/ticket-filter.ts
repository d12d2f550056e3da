import * as z from 'zod';
import {
  slaResults,
  ticketEnders,
  ticketGroups,
  ticketPriorities,
  ticketSorts,
} from '../values/enumerations.ts';
import { VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_QUERY_LENGTH } from '../values/limits.ts';
import { readPeriod } from '../values/period.ts';
import { choicePatterns, weekdayNames } from './ticket-filter-patterns.ts';
import { ListTicketsInput } from './tickets.ts';

const { snoozed, q } = ListTicketsInput.shape;

/**
 * A filter with several values of one kind.
 *
 * @param what the values, for the message about another one
 */
const choiceOf = (name: keyof typeof choicePatterns, what: string) =>
  z
    .string()
    .regex(
      choicePatterns[name],
      `must be ${what}; several are separated by commas, and "-" at the beginning selects the others`,
    )
    .optional();

/** A period: when it begins, and when it is over. */
const Period = z
  .string()
  .refine((text) => readPeriod(text) !== null, 'must be two timestamps with ".." between them')
  .optional();

/**
 * The filters of a ticket list: each selects all tickets where it is omitted, except `snoozed` ({@link snoozedIn}). `q` has words, `"phrases"`, `-words` and `-"phrases"`
 * ({@link parseSearchTerms}), or is the id of a ticket or trader. `from` has words of the trader's name or address. `before` and `after`
 * are days in the caller's time zone: the latest message is before the day, or not before it. `due`: the next SLA target was missed (`breached`), is due within minutes or was missed (`60m`), or
 * exists (`set`). `is`: it has messages that the team has not read. `created` and `ended` are periods, as reports name them; a ticket that was merged has not `ended`. `hour` and `weekday`:
 * when it was created, in the firm's zone, as reports count. `language`: the trader's, without a region.
 *
 * `replied`, `replied_by`, `macro` and `article` select tickets with a reply that has all of it: written in the period, by the team, the assistant or
 * an agent, from the macro, based on the article. `first_reply`: the period of the team's first one. `rated`: the period in which the trader said how
 * satisfied they are. `ended_by`: what answered an ended ticket, only the assistant, or the team after it (`handover`). `sla`: whether the business
 * time of a ticket met the target of its priority.
 *
 * Those made with {@link choiceOf} have one or several values of which a ticket has any, or after `-` none: `urgent,high`, `-low`
 * ({@link readChoice}).
 */
export const TicketFilter = z.object({
  status: choiceOf('status', `of ${ticketGroups.join(', ')}`),
  assignee: choiceOf('assignee', '"anyone", "me", "none" or the id of an agent'),
  team: choiceOf('team', '"any", "none" or the id of a team'),
  priority: choiceOf('priority', `of ${ticketPriorities.join(', ')}`),
  tag: choiceOf('tag', '"all" or the id of a tag'),
  snoozed: snoozed.unwrap().optional(),
  q,
  from: VisibleLine.max(MAX_QUERY_LENGTH).optional(),
  before: z.iso.date().optional(),
  after: z.iso.date().optional(),
  has: choiceOf('has', '"attachment"'),
  is: choiceOf('is', '"unread"'),
  due: choiceOf('due', '"set", "breached" or a number of minutes such as "60m"'),
  created: Period,
  ended: Period,
  hour: choiceOf('hour', 'hours from 0 to 23'),
  weekday: choiceOf('weekday', `of ${weekdayNames.join(', ')}`),
  language: choiceOf('language', '"none" or a language such as "de"'),
  replied: Period,
  replied_by: choiceOf('replied_by', '"team", "assistant" or the id of an agent'),
  macro: choiceOf('macro', 'the id of a macro'),
  article: choiceOf('article', 'the id of an article'),
  first_reply: Period,
  rated: Period,
  ended_by: choiceOf('ended_by', `of ${ticketEnders.join(', ')}`),
  sla: choiceOf('sla', `of ${slaResults.join(', ')}`),
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
