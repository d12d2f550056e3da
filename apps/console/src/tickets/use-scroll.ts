import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** As near to the end as this, in pixels, is at the end. */
const NEAR_END = 48;
/** Older messages are fetched this far before they are reached. */
const AHEAD = 400;

/**
 * A conversation's scrolling: at its end it stays at the end, whatever grows; elsewhere what is read stays where it is, also
 * when older messages come in above.
 *
 * @param oldest names the first message: when it changes, messages came in above
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
    if (scroller.current!.scrollTop < AHEAD) onNearStart();
  };

  // Whenever the oldest is another.
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

/** From what is in view to the end. */
function distanceOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
