import { slaResults, ticketEnders, ticketGroups, ticketPriorities } from '../values/enumerations.ts';
import { ID_BODY, idPrefixes } from '../values/id-prefixes.ts';
import { MAX_CHOICES } from '../values/limits.ts';

/** The days of a week as filters name them. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** How the filters are written that have one or several values of one kind. */
export const choicePatterns = {
  status: choicesOf(ticketGroups.filter((group) => group !== 'all').join('|'), 'all'),
  assignee: choicesOf(`me|none|${idPrefixes.user}${ID_BODY}`, 'anyone'),
  team: choicesOf('none|[1-9]\\d{0,17}', 'any'),
  priority: choicesOf(ticketPriorities.join('|')),
  tag: choicesOf('[1-9]\\d{0,17}', 'all'),
  has: choicesOf('attachment'),
  is: choicesOf('unread'),
  due: choicesOf('set|breached|[1-9]\\d{0,3}m'),
  hour: choicesOf('1?\\d|2[0-3]'),
  weekday: choicesOf(weekdayNames.join('|')),
  language: choicesOf('none|[a-z]{2,8}'),
  replied_by: choicesOf(`team|assistant|${idPrefixes.user}${ID_BODY}`),
  macro: choicesOf(`${idPrefixes.macro}${ID_BODY}`),
  article: choicesOf(`${idPrefixes.article}${ID_BODY}`),
  ended_by: choicesOf(ticketEnders.join('|')),
  sla: choicesOf(slaResults.join('|')),
};

/**
 * @param value a regular expression of one value
 * @param all the word that selects all tickets
 */
function choicesOf(value: string, all?: string): RegExp {
  return new RegExp(`^(${all ? `${all}|` : ''}-?(${value})(,(${value})){0,${MAX_CHOICES - 1}})$`);
}
