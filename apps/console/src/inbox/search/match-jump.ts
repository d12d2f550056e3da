/** The ticket whose newest matching message is to be shown, and the text that was searched for. */
let wanted: { ticket: string; q: string } | null = null;
const listeners = new Set<() => void>();

/** Asks the conversation of a ticket to show its newest message that matches a search; again: the next older one. */
export function jumpToMatch(ticket: string, q: string): void {
  wanted = { ticket, q };
  for (const listener of listeners) listener();
}

/** Returns what a conversation was asked for, once. */
export function takeJump(ticket: string): string | null {
  if (wanted?.ticket !== ticket) return null;
  const { q } = wanted;
  wanted = null;
  return q;
}

export function onJump(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let opener: (() => void) | null = null;

/** Opens the first ticket of the list at its newest matching message. */
export function openFirstMatch(): void {
  opener?.();
}

/** Sets what opens the first match. Returns a function that removes it. */
export function setFirstMatchOpener(next: () => void): () => void {
  opener = next;
  return () => {
    if (opener === next) opener = null;
  };
}
