import { foldSearchText, foldWithPositions, parseSearchTerms } from '@firmdesk/contract';
import { type RefObject, useEffect } from 'react';

/** Returns the folded words and phrases of a search text that can be shown in texts. */
export function shownTerms(q: string | undefined): string[] {
  if (!q) return [];
  const { words, phrases } = parseSearchTerms(q);
  return [...words.split(' '), ...phrases].map(foldSearchText).filter((term) => term.length > 1);
}

/** Returns whether a text has one of the terms. */
export function hasTerm(text: string, terms: readonly string[]): boolean {
  const folded = foldSearchText(text);
  return terms.some((term) => folded.includes(term));
}

/** The name of the highlights in style sheets. */
export const HIGHLIGHT = 'search-match';
/** How much of a text is looked at, and how many matches are shown: others can send texts of any length. */
const MAX_TEXT = 200_000;
const MAX_RANGES = 1_000;
/** The highlighted ranges of each element. The browser shows those of one registry. */
const shown = new Map<Element, Range[]>();

/**
 * Highlights the terms of a search in the texts of an element, also in those that are added later. The page's elements do not change.
 * @param termsOf returns the folded terms of the search
 */
export function useHighlights(
  root: RefObject<Element | null>,
  q: string | undefined,
  termsOf: (q: string | undefined) => string[] = shownTerms,
): void {
  useEffect(() => {
    const element = root.current;
    const terms = termsOf(q);
    if (!element || terms.length === 0 || !('highlights' in CSS)) return;
    let frame = 0;
    const update = () => {
      frame = 0;
      shown.set(element, rangesIn(element, terms));
      publish();
    };
    const later = () => {
      frame ||= requestAnimationFrame(update);
    };
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    update();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      shown.delete(element);
      publish();
    };
  }, [root, q, termsOf]);
}

function publish(): void {
  const ranges = [...shown.values()].flat();
  if (ranges.length === 0) CSS.highlights.delete(HIGHLIGHT);
  else CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
}

/** Returns where an element has folded terms. */
export function rangesIn(element: Element, terms: readonly string[]): Range[] {
  const ranges: Range[] = [];
  if (terms.length === 0) return ranges;
  let length = 0;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    length += text.length;
    if (length > MAX_TEXT) break;
    const { folded, at } = foldWithPositions(text);
    for (const term of terms) {
      for (let from = folded.indexOf(term); from >= 0; from = folded.indexOf(term, from + term.length)) {
        if (ranges.length === MAX_RANGES) return ranges;
        const range = new Range();
        range.setStart(node, at[from]!);
        range.setEnd(node, at[from + term.length]!);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
