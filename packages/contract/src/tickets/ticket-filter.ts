import * as z from 'zod';
import {
  slaResults,
  ticketEnders,
  ticketGroups,
  ticketPriorities,
  ticketSorts,
} from '../values/enumerations.ts';
import { VisibleLine } from '../values/fields.ts';
import { ID_BODY, idPrefixes } from '../values/id-prefixes.ts';
import { idOf } from '../values/ids.ts';
import { MAX_CHOICES, MAX_QUERY_LENGTH } from '../values/limits.ts';
import { readPeriod } from '../values/period.ts';
import { ListTicketsInput } from './tickets.ts';

const { snoozed, q } = ListTicketsInput.shape;

/** The days of a week as filters name them. */
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * A filter with several values of one kind.
 *
 * @param value a regular expression of one
 * @param names.all the word that selects all tickets
 * @param names.what the values, for the message about another one
 */
const choiceOf = (value: string, { all, what }: { all?: string; what: string }) =>
  z
    .string()
    .regex(
      new RegExp(`^(${all ? `${all}|` : ''}-?(${value})(,(${value})){0,${MAX_CHOICES - 1}})$`),
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
  status: choiceOf(ticketGroups.filter((group) => group !== 'all').join('|'), {
    all: 'all',
    what: `of ${ticketGroups.join(', ')}`,
  }),
  assignee: choiceOf(`me|none|${idPrefixes.user}${ID_BODY}`, {
    all: 'anyone',
    what: '"anyone", "me", "none" or the id of an agent',
  }),
  team: choiceOf('none|[1-9]\\d{0,17}', { all: 'any', what: '"any", "none" or the id of a team' }),
  priority: choiceOf(ticketPriorities.join('|'), { what: `of ${ticketPriorities.join(', ')}` }),
  tag: choiceOf('[1-9]\\d{0,17}', { all: 'all', what: '"all" or the id of a tag' }),
  snoozed: snoozed.unwrap().optional(),
  q,
  from: VisibleLine.max(MAX_QUERY_LENGTH).optional(),
  before: z.iso.date().optional(),
  after: z.iso.date().optional(),
  has: choiceOf('attachment', { what: '"attachment"' }),
  is: choiceOf('unread', { what: '"unread"' }),
  due: choiceOf('set|breached|[1-9]\\d{0,3}m', {
    what: '"set", "breached" or a number of minutes such as "60m"',
  }),
  created: Period,
  ended: Period,
  hour: choiceOf('1?\\d|2[0-3]', { what: 'hours from 0 to 23' }),
  weekday: choiceOf(weekdayNames.join('|'), { what: `of ${weekdayNames.join(', ')}` }),
  language: choiceOf('none|[a-z]{2,8}', { what: '"none" or a language such as "de"' }),
  replied: Period,
  replied_by: choiceOf(`team|assistant|${idPrefixes.user}${ID_BODY}`, {
    what: '"team", "assistant" or the id of an agent',
  }),
  macro: choiceOf(`${idPrefixes.macro}${ID_BODY}`, { what: 'the id of a macro' }),
  article: choiceOf(`${idPrefixes.article}${ID_BODY}`, { what: 'the id of an article' }),
  first_reply: Period,
  rated: Period,
  ended_by: choiceOf(ticketEnders.join('|'), { what: `of ${ticketEnders.join(', ')}` }),
  sla: choiceOf(slaResults.join('|'), { what: `of ${slaResults.join(', ')}` }),
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
