import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { hasTerm, shownTerms } from '../../inbox/search/highlight-matches.ts';
import { onJump, takeJump } from '../../inbox/search/match-jump.ts';
import { announce } from '../../shell/announcer.tsx';
import type { Conversation } from './use-conversation.ts';

/** At most this many pages of older messages are loaded to find a match. */
const MAX_PAGES = 40;

/** Shows the newest message that matches the search from which the ticket was opened; when asked again, the next older one. */
export function useMatchJump(
  ticket: string,
  { messages, isLoading, hasOlder, isLoadingOlder, loadOlder }: Conversation,
  scroller: RefObject<HTMLElement | null>,
): void {
  /** The terms that are being looked for; null if none are. */
  const [terms, setTerms] = useState<readonly string[] | null>(null);
  const shown = useRef<string | null>(null);
  const pages = useRef(0);
  const begin = useEffectEvent(() => {
    const q = takeJump(ticket);
    if (q === null) return;
    pages.current = 0;
    setTerms(shownTerms(q));
  });
  useEffect(() => {
    begin();
    return onJump(() => begin());
  }, []);
  useEffect(() => {
    if (terms === null || isLoading || isLoadingOlder) return;
    const matching = messages.filter(({ body }) => hasTerm(body, terms)).map(({ id }) => id);
    const position = shown.current === null ? matching.length : matching.indexOf(shown.current);
    const next = matching[position - 1];
    if (next === undefined && hasOlder && pages.current < MAX_PAGES) {
      pages.current++;
      loadOlder();
      return;
    }
    setTerms(null);
    // After the oldest match comes the newest one again.
    const target = next ?? matching.at(-1);
    shown.current = target ?? null;
    if (target === undefined) {
      announce('No message matches. The words are in the subject or the trader’s name.');
      return;
    }
    const element = scroller.current?.querySelector<HTMLElement>(`[data-message="${target}"]`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
    announce(`Match ${matching.indexOf(target) + 1} of ${matching.length}`);
  }, [terms, isLoading, isLoadingOlder, messages, hasOlder, loadOlder, scroller]);
}
