import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { NewAttendee, NewEvent, StoredEvent } from '../events/new-event.ts';
import { normalAddress } from '../invitations/invitation-sender.ts';
import { ownAddresses } from './own-addresses.ts';

/** Returns whether the people of an event are invited by this installation: it was not invited to, and not imported. */
export function isOrganizedHere({ source = 'manual', organizer, uid }: NewEvent): boolean {
  return source === 'manual' && Boolean(organizer) && Boolean(uid);
}

/** Returns the attendees of an event without its organizer. */
export function inviteesOf({ organizer, attendees }: NewEvent): NewAttendee[] {
  return (attendees ?? []).filter(({ email }) => !isSameAddress(email, organizer?.email));
}

export function isSameAddress(a: string, b: string | null | undefined): boolean {
  return normalAddress(a) === normalAddress(b);
}

/**
 * Returns a new or changed event with what an invitation needs: the caller as its organizer, a UID, and the version that follows the stored one. A new time
 * asks the attendees again; otherwise they keep their answers, which only they change. Events without attendees, and those of others, are
 * returned as they are.
 */
export async function organizedEvent<E extends NewEvent>(
  ctx: AccountContext,
  before: StoredEvent | null,
  event: E,
): Promise<E> {
  const attendees = event.attendees ?? [];
  if ((event.source ?? 'manual') !== 'manual' || attendees.length === 0) return event;
  const organizer = event.organizer ?? {
    name: ctx.identity.user.name,
    email: (await ownAddresses(ctx))[0]!,
  };
  const domain = domainToASCII(organizer.email.slice(organizer.email.lastIndexOf('@') + 1)) || 'localhost';
  const isMoved = before !== null && timesOf(before) !== timesOf(event);
  const answers = new Map(before?.attendees.map((one) => [normalAddress(one.email), one]));
  const answerOf = ({ email, response }: NewAttendee): string | undefined => {
    if (isSameAddress(email, organizer.email)) return 'accepted';
    if (!before) return response;
    return isMoved ? 'needs_action' : answers.get(normalAddress(email))?.response;
  };
  const isFirst = (one: NewAttendee, at: number) =>
    attendees.findIndex(({ email }) => isSameAddress(email, one.email)) === at;
  return {
    ...event,
    uid: event.uid ?? `${randomUUID()}@${domain}`,
    organizer,
    attendees: attendees.filter(isFirst).map((one) => ({
      ...one,
      response: answerOf(one),
      is_organizer: isSameAddress(one.email, organizer.email),
    })),
    sequence: before ? nextSequence(before, event) : (event.sequence ?? 0),
    stamp: nextStamp(ctx, before),
  };
}

/** Returns the SEQUENCE of a changed event, which counts the changes of its times (RFC 5546 §2.1.4). */
function nextSequence(before: StoredEvent, event: NewEvent): number {
  const datesOf = ({ exdates, rdates, overrides }: NewEvent) => {
    const times = (overrides ?? []).map(({ occurrence_start, cancelled, starts_at, ends_at, all_day }) => [
      ...[occurrence_start, cancelled ?? false, starts_at ?? null, ends_at ?? null, all_day ?? null],
    ]);
    return JSON.stringify([exdates ?? [], rdates ?? [], times]);
  };
  const isSame = timesOf(before) === timesOf(event) && datesOf(before) === datesOf(event);
  return (before.sequence ?? 0) + (isSame ? 0 : 1);
}

/** The times of an event or of all occurrences of a series, to compare them. */
function timesOf({ starts_at, ends_at, all_day, timezone, recurrence_rule }: NewEvent): string {
  return JSON.stringify([starts_at, ends_at, all_day ?? false, timezone, recurrence_rule ?? null]);
}

/** Returns the DTSTAMP of the next version: a later second than that of the last one, since versions of one SEQUENCE are ordered by it. */
export function nextStamp(
  { now }: Pick<AccountContext, 'now'>,
  before: Pick<StoredEvent, 'stamp'> | null,
): string {
  const last = before?.stamp ? Date.parse(before.stamp) + 1_000 : 0;
  const next = Math.max(now.getTime(), last);
  return new Date(Math.floor(next / 1_000) * 1_000).toISOString();
}
