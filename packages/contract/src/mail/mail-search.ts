import { unifyPunctuation } from '../texts/fold-search-text.ts';
import { folders } from '../values/enumerations.ts';

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

/**
 * Parses the search text of a list of mail: words, `"phrases"`, and the operators `from:`, `to:`, `subject:` (each with a word or a phrase), `in:`,
 * `has:attachment`, `before:`, `after:` and `is:unread`. A term that begins with `-` must not be true. Another word with a colon is a word.
 */
export function parseMailSearch(text: string): MailSearch {
  const search: MailSearch = { texts: [], filters: [], errors: [] };
  for (const { head, value, isPhrase } of termsIn(unifyPunctuation(text))) {
    const isExcluded = head.startsWith('-');
    const name = head
      .slice(isExcluded ? 1 : 0)
      .replace(':', '')
      .toLowerCase();
    if (name === '') {
      if (value !== '') search.texts.push({ field: null, text: value, isPhrase, isExcluded });
      continue;
    }
    const parse = operators.get(name)!;
    const parsed = value === '' ? `must have a value after "${name}:"` : parse(value, isPhrase);
    if (typeof parsed === 'string') search.errors.push(parsed);
    else if ('kind' in parsed) search.filters.push({ ...parsed, isExcluded });
    else search.texts.push({ ...parsed, isExcluded });
  }
  return search;
}

interface Term {
  /** `-`, an operator with its colon, or both; empty for neither. */
  head: string;
  value: string;
  isPhrase: boolean;
}

function* termsIn(text: string): Generator<Term> {
  let at = 0;
  while (at < text.length) {
    const [word] = /^\S*/.exec(text.slice(at))!;
    if (word === '') {
      at++;
      continue;
    }
    const head = headOf(word);
    const start = at + head.length;
    if (text[start] === '"') {
      const end = text.indexOf('"', start + 1);
      const close = end < 0 ? text.length : end;
      yield { head, value: text.slice(start + 1, close).trim(), isPhrase: true };
      at = close + 1;
    } else {
      yield { head, value: word.slice(head.length), isPhrase: false };
      at += word.length;
    }
  }
}

/** Returns the {@link Term.head} of a word. A single `-` is a word, as is one with an unknown operator. */
function headOf(word: string): string {
  const minus = word.startsWith('-') && word.length > 1 ? '-' : '';
  const colon = word.indexOf(':');
  const isOperator = colon > 0 && operators.has(word.slice(minus.length, colon).toLowerCase());
  return isOperator ? word.slice(0, colon + 1) : minus;
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
  return isDay(day) ? { kind, day } : `must have a day such as 2026-11-27 after "${kind}:"`;
}

/** Without a schema: the console has this module, and no schemas. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
