import type { NewAttendee } from '../events/new-event.ts';
import { parseIcs } from './parse-ics.ts';

/** The answer of an attendee to an invitation (RFC 5546 §3.2.3). */
export interface InvitationReply {
  uid: string;
  sequence: number;
  /** DTSTAMP, as an instant. */
  stamp: string | null;
  email: string;
  response: string;
}

/** Reads the answers in a REPLY: one attendee for each event. An answer for one occurrence of a series, and one that says nothing, are left out. */
export function readReplies(text: string, floatingZone: string, maxEvents: number): InvitationReply[] {
  return parseIcs(text, floatingZone, maxEvents).series.flatMap(({ master }) => {
    const [attendee, ...others]: NewAttendee[] = master?.attendees ?? [];
    const { response = 'needs_action' } = attendee ?? {};
    if (!master?.uid || !attendee || others.length > 0 || response === 'needs_action') return [];
    const { uid, sequence, stamp } = master;
    return [{ uid, sequence, stamp, email: attendee.email, response }];
  });
}
