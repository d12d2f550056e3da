import type { MailRecipient } from '@firmdesk/contract';

/** How many people are suggested at once. */
const MAX_SUGGESTED = 8;

/** Folds letters, so that `Jose` finds `José`. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/**
 * Returns the people whose name or address contains each typed word, in their order. Those with a name or an address that begins with the first
 * word come first. `chosen`: addresses that are not suggested.
 */
export function suggestPeople(
  people: readonly MailRecipient[],
  typed: string,
  chosen: readonly string[],
): MailRecipient[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const taken = new Set(chosen.map((email) => email.toLowerCase()));
  const found = people
    .filter(({ email }) => !taken.has(email.toLowerCase()))
    .map((person) => ({ person, text: folded(`${person.name ?? ''} ${person.email}`) }))
    .filter(({ text }) => words.every((word) => text.includes(word)));
  const begins = ({ text }: { text: string }) => ` ${text}`.includes(` ${words[0]}`);
  return [...found.filter(begins), ...found.filter((each) => !begins(each))]
    .slice(0, MAX_SUGGESTED)
    .map(({ person }) => person);
}
