import type { StoredEvent } from '../events/new-event.ts';

/** The version of an invitation (RFC 5546 §2.1.5): SEQUENCE, and DTSTAMP as an instant. */
export interface InvitationVersion {
  sequence?: number | undefined;
  stamp?: string | null | undefined;
}

/** Returns a positive number if the first version is newer, a negative one if it is older, 0 if they are the same or it cannot be known. */
export function compareVersions(a: InvitationVersion, b: InvitationVersion): number {
  const bySequence = (a.sequence ?? 0) - (b.sequence ?? 0);
  if (bySequence !== 0 || !a.stamp || !b.stamp) return bySequence;
  return Date.parse(a.stamp) - Date.parse(b.stamp);
}

/** Returns whether two versions are known to be the same: a message without DTSTAMP can have changed without notice. */
export function isSameVersion(a: InvitationVersion, b: InvitationVersion): boolean {
  return Boolean(a.stamp && b.stamp) && compareVersions(a, b) === 0;
}

/** Returns the SEQUENCE of a changed event. An invitation keeps the one of its organizer, whose next version is compared with it. */
export function nextSequence({ source, sequence = 0 }: Pick<StoredEvent, 'source' | 'sequence'>): number {
  return source === 'mail' ? sequence : sequence + 1;
}
