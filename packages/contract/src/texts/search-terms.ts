import { unifyPunctuation } from './fold-search-text.ts';

/** The parts of a search text. */
export interface SearchTerms {
  /** The words, separated by spaces. Each must be found. */
  words: string;
  /** The quoted texts. Each must be found as it is written. */
  phrases: string[];
  /** The words and quoted texts that begin with `-`. None may be found. */
  without: string[];
}

const TERM = /(-?)"([^"]*)"?|(\S+)/g;
const EXCLUDED = /^-(?=[\p{L}\p{N}])/u;

/** Parses the search text of a {@link TicketFilter}: words, `"phrases"`, `-words` and `-"phrases"`, with the quotation marks and dashes of any keyboard. */
export function parseSearchTerms(text: string): SearchTerms {
  const words: string[] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  for (const [, minus, quoted, word] of unifyPunctuation(text).matchAll(TERM)) {
    if (quoted !== undefined) {
      const phrase = quoted.trim();
      if (phrase !== '') (minus === '-' ? without : phrases).push(phrase);
    } else if (EXCLUDED.test(word!)) without.push(word!.slice(1));
    else words.push(word!);
  }
  return { words: words.join(' '), phrases, without };
}
