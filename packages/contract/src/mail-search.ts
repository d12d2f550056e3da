import * as z from 'zod';
import { folders } from './enumerations.ts';
import { unifyPunctuation } from './fold-search-text.ts';

/** A word or a quoted text that a message must have, or must not have. */
export interface MailSearchText {
  /** The part of the message; null for any. */
  field: 'from' | 'to' | 'subject' | null;
  text: string;
  /** Whether the text is found as it is written, and not word by word. */
  isPhrase: boolean;
  isExcluded: boolean;
}

type Folder = (typeof folders)[number];

/** What a message must be, or must not be. `before` and `after` have a day, as `2026-11-27`. */
export type MailSearchFilter = { isExcluded: boolean } & (
  | { kind: 'folder'; folder: Folder }
  | { kind: 'unread' }
  | { kind: 'attachment' }
  | { kind: 'before' | 'after'; day: string }
);

/** The parts of a search of mail. All must be true. */
export interface MailSearch {
  texts: MailSearchText[];
  filters: MailSearchFilter[];
  /** What is wrong with the operators, as the ends of sentences about the search text. */
  errors: string[];
}

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S*))/giu;
const Day = z.iso.date().refine((day) => !day.startsWith('0000'));

/**
 * Parses the search text of a list of mail: words, `"phrases"`, and the operators `from:`, `to:`, `subject:` (each with a word or a phrase), `in:`,
 * `has:attachment`, `before:`, `after:` and `is:unread`. A term that begins with `-` must not be true. Another word with a colon is a word.
 */
export function parseMailSearch(text: string): MailSearch {
  const search: MailSearch = { texts: [], filters: [], errors: [] };
  for (const [whole, minus = '', operator = '', quoted, word = ''] of unifyPunctuation(text).matchAll(TERM)) {
    if (whole === '') continue;
    const isExcluded = minus === '-' && whole !== '-';
    const value = (quoted ?? word).trim();
    const name = operator.toLowerCase();
    const parse = operators.get(name);
    if (parse) {
      const parsed = value === '' ? `must have a value after "${name}:"` : parse(value, quoted !== undefined);
      if (typeof parsed === 'string') search.errors.push(parsed);
      else if ('kind' in parsed) search.filters.push({ ...parsed, isExcluded });
      else search.texts.push({ ...parsed, isExcluded });
      continue;
    }
    const isPhrase = quoted !== undefined && operator === '';
    const term = isPhrase ? value : isExcluded ? whole.slice(1) : whole;
    if (term !== '') search.texts.push({ field: null, text: term, isPhrase, isExcluded });
  }
  return search;
}

type Parsed = Omit<MailSearchText, 'isExcluded'> | Unexcluded<MailSearchFilter>;
type Unexcluded<T> = T extends unknown ? Omit<T, 'isExcluded'> : never;

/** Return what an operator with its value means, or what is wrong with it. */
const operators = new Map<string, (value: string, isPhrase: boolean) => Parsed | string>(
  Object.entries({
    from: (text, isPhrase) => ({ field: 'from', text, isPhrase }),
    to: (text, isPhrase) => ({ field: 'to', text, isPhrase }),
    subject: (text, isPhrase) => ({ field: 'subject', text, isPhrase }),
    in(value) {
      const folder = folders.find((folder) => folder === value.toLowerCase());
      return folder
        ? { kind: 'folder', folder }
        : `must name one of the folders ${folders.join(', ')} after "in:"`;
    },
    has: (value) =>
      value.toLowerCase() === 'attachment' ? { kind: 'attachment' } : 'must have "attachment" after "has:"',
    is: (value) => (value.toLowerCase() === 'unread' ? { kind: 'unread' } : 'must have "unread" after "is:"'),
    before: (value) => dayOf('before', value),
    after: (value) => dayOf('after', value),
  }),
);

function dayOf(kind: 'before' | 'after', day: string): Parsed | string {
  return Day.safeParse(day).success ? { kind, day } : `must have a day such as 2026-11-27 after "${kind}:"`;
}
