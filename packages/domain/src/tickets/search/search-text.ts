import { foldSearchText } from '@firmdesk/contract';
import { distinctWords } from '../../platform/search/search-text.ts';

/** Returns a stored search text as it is folded now. A message's distinct words stay distinct. */
export function refold(searchText: string): string {
  const folded = foldSearchText(searchText);
  return folded === searchText ? searchText : distinctWords(folded).join(' ');
}

/** The limit of searchable words per message. A text of 20,000 characters that a person wrote has fewer. */
export const MAX_MESSAGE_WORDS = 4_000;

/** Returns the search text of a message: its distinct words. */
export function messageSearchText(body: string): string {
  return distinctWords(foldSearchText(body)).slice(0, MAX_MESSAGE_WORDS).join(' ');
}

/** Returns the search text of a ticket, without its messages. */
export function ticketSearchText(subject: string, trader: { name: string; email: string }): string {
  return foldSearchText(`${subject} ${trader.name} ${trader.email}`);
}
