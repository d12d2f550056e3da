import type { Ticket } from '@firmdesk/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../../api.ts';

/** Rows that come into view within this time are asked for together. */
const GATHER_MS = 80;
const MAX_AT_ONCE = 100;
const MAX_KEPT = 2_000;

/** The beginnings of the latest messages, by ticket, each with the time of the message. */
const previews = new Map<string, { at: string; text: string }>();
/** The tickets in view whose preview is missing or out of date, with the time of their latest message. */
const wanted = new Map<string, string>();
const listeners = new Set<() => void>();
let isScheduled = false;

/** Returns the beginning of the latest message of a ticket; empty until it is loaded. */
export function usePreview({ id, last_message_at }: Pick<Ticket, 'id' | 'last_message_at'>): string {
  useEffect(() => {
    if ((previews.get(id)?.at ?? '') >= last_message_at) return;
    wanted.set(id, last_message_at);
    schedule();
    return () => void wanted.delete(id);
  }, [id, last_message_at]);
  return useSyncExternalStore(subscribe, () => previews.get(id)?.text ?? '');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => void load(), GATHER_MS);
}

async function load(): Promise<void> {
  const asked = [...wanted].slice(0, MAX_AT_ONCE);
  for (const [id] of asked) wanted.delete(id);
  isScheduled = false;
  if (wanted.size > 0) schedule();
  if (asked.length === 0) return;
  try {
    const { data } = await client.tickets.previews.query({ tickets: asked.map(([id]) => id) });
    const texts = new Map(data.map(({ ticket_id, text }) => [ticket_id, text]));
    for (const [id, at] of asked) previews.set(id, { at, text: texts.get(id) ?? '' });
    for (const id of previews.keys()) {
      if (previews.size <= MAX_KEPT) break;
      previews.delete(id);
    }
    for (const listener of listeners) listener();
  } catch {
    // Asked for again with the next message, or when the row comes into view again.
  }
}
