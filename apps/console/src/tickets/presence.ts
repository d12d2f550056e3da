import type { PresenceEvent } from '@firmdesk/contract';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { client, connection } from '../api.ts';
import { useIsVisible } from '../presence/use-is-visible.ts';
import type { Viewer } from '../presence/viewers-line.tsx';
import { useAccount } from '../session/account.ts';

const nobody: readonly Viewer[] = [];
/** After this time without a change of the text, its author does not type any more. */
const PAUSE_MS = 4_000;

let viewers = new Map<string, readonly Viewer[]>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show({ is_all, tickets }: PresenceEvent): void {
  if (is_all) viewers = new Map();
  for (const each of tickets) {
    if (each.viewers.length > 0) viewers.set(each.ticket, each.viewers);
    else viewers.delete(each.ticket);
  }
  for (const listener of listeners) listener();
}

/** Follows who has which tickets open, while the inbox is mounted. Without a connection nobody is shown. */
export function useFollowedPresence(): void {
  useEffect(() => {
    const clear = () => show({ type: 'presence', is_all: true, tickets: [] });
    const following = client.tickets.presence.subscribe(
      {},
      // Without presence the inbox works as well: the connection's state tells what is wrong.
      { onData: ({ data }) => show(data), onError: clear },
    );
    const stopWatching = connection.subscribe(() => connection.state.status !== 'open' && clear());
    return () => {
      following.unsubscribe();
      stopWatching();
      clear();
    };
  }, []);
}

/** Returns the colleagues who have a ticket open. */
export function useViewers(ticketId: string): readonly Viewer[] {
  const { user } = useAccount();
  const all = useSyncExternalStore(subscribe, () => viewers.get(ticketId) ?? nobody);
  return useMemo(() => all.filter(({ id }) => id !== user.id), [all, user.id]);
}

/** Shows colleagues that the ticket is open in this window, and whether its text is being changed, while the window is visible. */
export function useAttendance(ticket: string, text: string): void {
  const typing = useIsTyping(text);
  const isVisible = useIsVisible();
  useEffect(() => {
    if (!isVisible) return;
    const attending = client.tickets.attend.subscribe({ ticket, typing }, { onError() {} });
    return () => attending.unsubscribe();
  }, [ticket, typing, isVisible]);
}

function useIsTyping(text: string): boolean {
  /** The text of the last pause. */
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text !== '' && text !== paused;
}
