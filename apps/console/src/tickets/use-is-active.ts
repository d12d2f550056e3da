import { type RefObject, useEffect, useState } from 'react';

/** Returns whether an element has had the focus, and nothing outside it was clicked since. */
export function useIsActive(element: RefObject<HTMLElement | null>): { isActive: boolean; onFocus(): void } {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    if (!isActive) return;
    // A loss of focus changes nothing: what is clicked must not move between press and release.
    const onClick = ({ target }: MouseEvent) => {
      if (!element.current?.contains(target as Node)) setIsActive(false);
    };
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, [isActive, element]);
  return { isActive, onFocus: () => setIsActive(true) };
}
