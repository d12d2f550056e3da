import { foldSearchText, parseMailSearch } from '@firmdesk/contract';

/** Returns the folded words and phrases that a search of mail finds in texts, as long as they can be shown there. */
export function foundTerms(q: string | undefined): string[] {
  if (!q) return [];
  return parseMailSearch(q)
    .texts.filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ text, isPhrase }) => {
      const folded = foldSearchText(text);
      return isPhrase ? folded : folded.split(' ');
    })
    .filter((term) => term.length > 1);
}
