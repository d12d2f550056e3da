/** Letters that no decomposition takes apart, as people type them without the letter at hand. */
const plain: Record<string, string> = {
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
const SPECIAL = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');
// The accents of alphabetic scripts; the marks of others (が, हि) make another letter.
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACE = /[\s\p{Cc}]+/gu;
const NEEDS_NO_UNICODE = /^[\x20-\x7e]*$/;

/**
 * A text as search compares it: compatibility forms made one, lower case, accents taken off, words with one space between
 * them. Applied to what is stored (`search_text`) and to what is sought; folding twice changes nothing.
 */
export function fold(text: string): string {
  if (NEEDS_NO_UNICODE.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => plain[letter]!)
    .normalize('NFC')
    .replace(SPACE, ' ')
    .trim();
}

/** The different words of a folded text. */
export function distinctWords(folded: string): string[] {
  return [...new Set(folded.split(' '))].filter((word) => word !== '');
}

/** So many different words of one message are found: a text of 20,000 characters that a person wrote has fewer. */
export const MAX_MESSAGE_WORDS = 4_000;

/** What the search finds of a message: its words, each once. */
export function messageSearchText(body: string): string {
  return distinctWords(fold(body)).slice(0, MAX_MESSAGE_WORDS).join(' ');
}

/** What the search of a ticket finds beside its messages. */
export function ticketSearchText(subject: string, trader: { name: string; email: string }): string {
  return fold(`${subject} ${trader.name} ${trader.email}`);
}
