import { foldSearchText } from '@firmdesk/contract';

/** Returns the distinct words of a folded text. */
export function distinctWords(folded: string): string[] {
  return [...new Set(folded.split(' '))].filter((word) => word !== '');
}

/** Changes with each change of {@link foldSearchText} that finds more: texts that were folded before are then folded again. */
export const FOLDING = 1;

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
