import { HIGHLIGHT, rangesIn } from '../../inbox/search/highlight-matches.ts';
import { foundTerms } from '../list/found-terms.ts';

/** Highlights what a search of mail finds in the document of a frame, which has a registry of its own. */
export function highlightFrame(frame: HTMLIFrameElement, q: string | undefined): void {
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  const body = frame.contentDocument?.body;
  if (!view || !body || !('highlights' in CSS)) return;
  view.CSS.highlights.set(HIGHLIGHT, new view.Highlight(...rangesIn(body, foundTerms(q))));
}
