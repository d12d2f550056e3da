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

const NAME = 'search-match';
/** The highlighted ranges of each element. The browser shows those of one registry. */
const shown = new Map<Element, Range[]>();

/** Highlights the terms in the texts of an element, also in those that are added later. The page's elements do not change. */
export function useHighlights(root: RefObject<Element | null>, q: string | undefined): void {
  useEffect(() => {
    const element = root.current;
    const terms = shownTerms(q);
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
  }, [root, q]);
}

function publish(): void {
  const ranges = [...shown.values()].flat();
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
}

function rangesIn(element: Element, terms: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { folded, at } = foldWithPositions(node.nodeValue ?? '');
    for (const term of terms) {
      for (let from = folded.indexOf(term); from >= 0; from = folded.indexOf(term, from + term.length)) {
        const range = new Range();
        range.setStart(node, at[from]!);
        range.setEnd(node, at[from + term.length]!);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
