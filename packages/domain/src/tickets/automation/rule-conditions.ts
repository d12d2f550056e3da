import { foldSearchText, type ProfileCondition, type RuleConditions } from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';
import { containing, distinctWords } from '../../platform/search/search-text.ts';
import { filterConditions } from '../list/filters.ts';

/** The trader's message of which the words must be: that of an event, or of each compared ticket the latest. */
type Message = { id: string } | 'latest';

/**
 * Returns the conditions of a rule as one on `tickets t`; `$1` is the firm. The filters mean what they mean in the ticket list. A rule is
 * compared with a ticket and, before it is saved, with the latest ones, by this same condition.
 */
export function ruleCondition(
  { filter, words, languages, profile }: RuleConditions,
  message: Message,
  now: Date,
  bind: Bind,
): string {
  // The filters of a rule do not depend on a caller.
  const nobody = { id: '', timezone: 'UTC', now, teams: [] };
  const conditions = filterConditions(filter, nobody, bind);
  if (words.length > 0) conditions.push(containsOneOf(words, message, bind));
  if (languages.length > 0) {
    const bases = languages.map((language) => language.toLowerCase().split('-')[0]);
    conditions.push(`lower(split_part(coalesce((${profileOf('language')}),
      (select u.language from users u where u.id = t.trader_id)), '-', 1)) = any(${bind(bases)}::text[])`);
  }
  conditions.push(...profile.map((condition) => profileCondition(condition, bind)));
  return conditions.length === 0
    ? 'true'
    : `(${conditions.map((each) => `(${each})`).join(' and ')}) is true`;
}

/**
 * Returns the condition that each word of one of the texts is in the message, in the subject, or in the trader's name or address. What is compared
 * is read once: `offset 0` keeps PostgreSQL from reading it for each word.
 */
function containsOneOf(texts: readonly string[], message: Message, bind: Bind): string {
  const which =
    message === 'latest'
      ? `e.from_kind = 'trader' order by e.created_at desc limit 1`
      : `e.id = ${bind(message.id)}`;
  const each = texts.map((text) => {
    const words = distinctWords(foldSearchText(text)).map((word) => `m.text like ${bind(containing(word))}`);
    return words.length === 0 ? 'false' : `(${words.join(' and ')})`;
  });
  return `exists (select from (
    select coalesce(t.search_text, '') || chr(10) || coalesce((select e.search_text from ticket_messages e
      where e.workspace_id = $1 and e.ticket_id = t.id and ${which}), '') as text offset 0) m
    where ${each.join(' or ')})`;
}

function profileOf(value: string): string {
  return `select ${value} from trader_profiles p where p.workspace_id = $1 and p.user_id = t.trader_id`;
}

const NUMERIC = String.raw`'^-?\d{1,15}(\.\d{1,9})?$'`;

function profileCondition({ field, is, value }: ProfileCondition, bind: Bind): string {
  const path = field.startsWith('/')
    ? field
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : null;
  const found = `(${profileOf(path === null ? `p.${field}` : `p.data #>> ${bind(path)}::text[]`)})`;
  const wanted = bind(value);
  switch (is) {
    case 'equal':
      return `lower(${found}) = lower(${wanted}::text)`;
    case 'not_equal':
      return `lower(${found}) is distinct from lower(${wanted}::text)`;
    case 'at_least':
    case 'at_most':
      return `case when ${found} ~ ${NUMERIC} then ${found}::numeric end ${is === 'at_least' ? '>=' : '<='} ${wanted}::text::numeric`;
  }
}
