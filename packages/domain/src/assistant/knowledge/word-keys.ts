import { foldSearchText } from '@firmdesk/contract';
import { distinctWords } from '../../platform/search/search-text.ts';

/** Shorter words, such as articles and pronouns, say little. */
const MIN_LETTERS = 3;
/** The beginning of a word, so that "payout" is found by "payouts". */
const KEY_LETTERS = 6;

const NO_LETTER = /[^\p{L}\p{N}]+/gu;

/** Returns what texts are compared by: the beginnings of their distinct words, as search folds them. */
export function wordKeys(text: string): string[] {
  const words = distinctWords(foldSearchText(text).replace(NO_LETTER, ' '))
    .map((word) => [...word])
    .filter(({ length }) => length >= MIN_LETTERS)
    .map((letters) => letters.slice(0, KEY_LETTERS).join(''));
  return [...new Set(words)];
}
