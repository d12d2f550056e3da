import { foldSearchText, type SearchTerms } from '@firmdesk/contract';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import { tooMuchToSearch } from '../../platform/search/run-search.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import { containing, distinctWords } from '../../platform/search/search-text.ts';
import type { Services } from '../../platform/services.ts';

/** What the texts of a ticket must contain beside the words that are looked up. All texts are folded. */
export interface ExactTerms {
  phrases: readonly string[];
  withoutWords: readonly string[];
  withoutPhrases: readonly string[];
  /** Words of the trader's name or address. */
  from: readonly string[];
}

/** Returns the exact terms of a search; null if it has none. */
export function exactTermsOf({ phrases, without }: SearchTerms, from = ''): ExactTerms | null {
  const excluded = without.map(foldSearchText).filter((term) => term !== '');
  const terms: ExactTerms = {
    phrases: phrases.map(foldSearchText).filter((phrase) => phrase !== ''),
    withoutWords: excluded.filter((term) => !term.includes(' ')),
    withoutPhrases: excluded.filter((term) => term.includes(' ')),
    from: distinctWords(foldSearchText(from)),
  };
  return Object.values(terms).some((list) => list.length > 0) ? terms : null;
}

/** Returns the words that a ticket with these terms has. */
export function wordsOf({ phrases, from }: ExactTerms): string[] {
  return [...phrases.flatMap(distinctWords), ...from];
}

/** Returns the conditions on `tickets t` that exclude the tickets with an excluded word. */
export function withoutWords({ withoutWords: words }: ExactTerms, bind: Bind): string[] {
  return words.map((word) => {
    const pattern = bind(containing(word));
    return `t.search_text not like ${pattern} and not exists (
      select from ticket_messages m
      where m.workspace_id = $1 and m.ticket_id = t.id and m.search_text like ${pattern})`;
  });
}

/** The messages that are read at once. One can have 20,000 characters. */
const READ_AT_ONCE = 500;

/** How many messages a search may still read. */
export interface ReadBudget {
  messages: number;
}

/** A ticket to be compared with the terms. */
export interface ComparedTicket {
  id: string;
  subject: string;
  trader_name: string;
  trader_email: string;
}

/**
 * Returns the tickets whose texts contain the phrases, and not the excluded ones. The index and the search texts of messages have words
 * without their order, so the bodies of the messages that have all words of a phrase are read and folded here. Throws `unavailable` if the messages exceed the budget.
 */
export async function matchExactly<Ticket extends ComparedTicket>(
  { searchPool }: Pick<Services, 'searchPool'>,
  workspaceId: number,
  tickets: readonly Ticket[],
  { phrases, withoutPhrases, from }: ExactTerms,
  budget: ReadBudget,
): Promise<Ticket[]> {
  const sent = tickets.filter(({ trader_name, trader_email }) => {
    const trader = foldSearchText(`${trader_name} ${trader_email}`);
    return from.every((word) => trader.includes(word));
  });
  let matching = sent;
  for (const phrase of [...phrases, ...withoutPhrases]) {
    const found = await findPhrase({ searchPool }, workspaceId, matching, phrase, budget);
    const isWanted = phrases.includes(phrase);
    matching = matching.filter(({ id }) => found.has(id) === isWanted);
  }
  return matching;
}

async function findPhrase(
  { searchPool }: Pick<Services, 'searchPool'>,
  workspaceId: number,
  tickets: readonly ComparedTicket[],
  phrase: string,
  budget: ReadBudget,
): Promise<Set<string>> {
  const isHere = ({ subject, trader_name, trader_email }: ComparedTicket) =>
    [subject, trader_name, trader_email].some((text) => foldSearchText(text).includes(phrase));
  const found = new Set(tickets.filter(isHere).map(({ id }) => id));
  const patterns = distinctWords(phrase).map(containing);
  const yielder = new LoopYielder();
  let after = ['', ''];
  for (;;) {
    const others = tickets.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    if (others.length === 0) return found;
    const { rows } = await searchPool.query<{ ticket_id: string; id: string; body: string }>({
      text: `select ticket_id, id, body from ticket_messages
        where workspace_id = $1 and ticket_id = any($2::text[]) and search_text like all($3::text[])
          and (ticket_id, id) > ($4, $5)
        order by ticket_id, id limit ${READ_AT_ONCE}`,
      values: [workspaceId, others, patterns, ...after],
    });
    budget.messages -= rows.length;
    if (budget.messages < 0) throw tooMuchToSearch();
    for (const { ticket_id, body } of rows) {
      await yielder.yieldIfDue();
      if (!found.has(ticket_id) && foldSearchText(body).includes(phrase)) found.add(ticket_id);
    }
    const last = rows.at(-1);
    if (rows.length < READ_AT_ONCE || !last) return found;
    after = [last.ticket_id, last.id];
  }
}
