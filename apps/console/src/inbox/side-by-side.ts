import { useMedia } from '../ui/use-media.ts';

const query = matchMedia('(min-width: 64rem)');

/** Returns whether the open ticket is beside the list and follows the active row. On a narrow screen it covers the list. */
export function isSideBySide(): boolean {
  return query.matches;
}

/** Returns {@link isSideBySide}, also after the window changes. */
export function useIsSideBySide(): boolean {
  return useMedia(query);
}

/** Returns whether the list is visible: a ticket that is open on a narrow screen covers it. */
export function useIsListVisible(openId: string | undefined): boolean {
  return useIsSideBySide() || openId === undefined;
}
