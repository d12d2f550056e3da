import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this many pixels, the position counts as the end. */
const NEAR_END = 48;
/** Older messages are fetched within this many pixels of the start. */
const NEAR_START = 400;

/**
 * Keeps a conversation's scroll position: at the end it stays at the end as content grows, elsewhere the visible messages stay
 * in place, also when older ones are added above.
 *
 * @param oldest the id of the first message; a change means that messages were added above
 */
export function useScroll(oldest: string | undefined, onNearStart: () => void) {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const fromEnd = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);

  const scrollToEnd = () => {
    fromEnd.current = 0;
    scroller.current!.scrollTop = scroller.current!.scrollHeight;
  };

  const onScroll = () => {
    fromEnd.current = distanceOf(scroller.current!);
    setAtEnd(fromEnd.current < NEAR_END);
    if (scroller.current!.scrollTop < NEAR_START) onNearStart();
  };

  // Runs when older messages were added.
  useLayoutEffect(() => {
    const { scrollHeight, clientHeight } = scroller.current!;
    scroller.current!.scrollTop = scrollHeight - clientHeight - fromEnd.current;
  }, [oldest]);

  useEffect(() => {
    const growth = new ResizeObserver(() => {
      if (fromEnd.current < NEAR_END) scrollToEnd();
      else fromEnd.current = distanceOf(scroller.current!);
    });
    growth.observe(scroller.current!);
    growth.observe(content.current!);
    return () => growth.disconnect();
  }, []);

  return { scroller, content, isAtEnd, onScroll, scrollToEnd };
}

/** Returns the distance from the visible part to the end. */
function distanceOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
