import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { dropHeldKeys, setKeyGate } from '../../keyboard/held-keys.ts';
import { isTicketReady } from '../../tickets/ready-ticket.ts';
import { useDebounced } from '../search/use-debounced.ts';

/** Opens the row that the keyboard has reached, once it stays there. Keys that act on the row wait until it is open. */
export function useFollowedRow(
  openId: string | undefined,
  isCurrent: boolean,
  open: (ticket: string) => void,
) {
  /** The ticket that is to be opened or being opened. */
  const wanted = useRef<string>(undefined);
  const opened = useRef<string>(undefined);
  const run = (ticket: string, how: () => unknown) => {
    wanted.current = opened.current = ticket;
    how();
  };
  const later = useDebounced((ticket: string) => run(ticket, () => open(ticket)));
  const openAtOnce = useEffectEvent(() => later.flush());
  useLayoutEffect(
    () =>
      setKeyGate({
        isOpen() {
          if (wanted.current !== undefined && isTicketReady(wanted.current)) wanted.current = undefined;
          return wanted.current === undefined;
        },
        open: () => openAtOnce(),
      }),
    [],
  );
  const forget = useEffectEvent(() => {
    dropHeldKeys();
    later.cancel();
    wanted.current = undefined;
  });
  useEffect(() => {
    // Another ticket was opened by other means: a link, or the browser's history.
    if (openId !== opened.current) forget();
  }, [openId]);
  useEffect(() => {
    if (!isCurrent) forget();
  }, [isCurrent]);
  return {
    soon(ticket: string) {
      wanted.current = ticket;
      later.soon(ticket);
    },
    now(ticket: string, how: () => unknown) {
      later.cancel();
      dropHeldKeys();
      run(ticket, how);
    },
  };
}
