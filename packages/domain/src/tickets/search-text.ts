/** Letters that Unicode does not decompose, and how people type them on other keyboards. */
const replacements: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};
const SPECIAL = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');
// Accents of alphabetic scripts. In other scripts (が, हि) a mark makes a different letter.
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACE = /[\s\p{Cc}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns the text as search compares it: compatibility forms unified, lower case, without accents, words separated by one
 * space. Applied to stored texts (`search_text`) and to queries. Idempotent.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => replacements[letter]!)
    .normalize('NFC')
    .replace(SPACE, ' ')
    .trim();
}

/** Returns the distinct words of a folded text. */
export function distinctWords(folded: string): string[] {
  return [...new Set(folded.split(' '))].filter((word) => word !== '');
}

/** The limit of searchable words per message. A text of 20,000 characters that a person wrote has fewer. */
export const MAX_MESSAGE_WORDS = 4_000;

/** Returns the search text of a message: its distinct words. */
export function messageSearchText(body: string): string {
  return distinctWords(fold(body)).slice(0, MAX_MESSAGE_WORDS).join(' ');
}

/** Returns the search text of a ticket, without its messages. */
export function ticketSearchText(subject: string, trader: { name: string; email: string }): string {
  return fold(`${subject} ${trader.name} ${trader.email}`);
}
