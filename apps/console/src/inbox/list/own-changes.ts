/** Events about an own change may follow its answer for this long. */
const OWN_MS = 3_000;

/** The tickets that the user has just changed, each with the time until which changes are theirs. */
const changed = new Map<string, number>();

/**
 * Records that the service stores a change, or a message, of the user. Called before lists are told of it.
 *
 * @param at when it does, in ms since 1970
 */
export function markOwnChange(ticket: string, at: number = Date.now()): void {
  changed.set(ticket, Math.max(changed.get(ticket) ?? 0, at + OWN_MS));
}

/** Returns whether the latest change of a ticket is the user's. */
export function isOwnChange(ticket: string): boolean {
  const until = changed.get(ticket);
  if (until === undefined) return false;
  if (until >= Date.now()) return true;
  changed.delete(ticket);
  return false;
}
