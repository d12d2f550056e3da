/** An account that attends to something: a ticket that it has open. */
export interface Attendance {
  userId: string;
  name: string;
  subject: string;
  isActive: boolean;
}

/** The accounts that attend to one subject, each once, in the order of their ids. */
export interface SubjectPresence {
  subject: string;
  attendees: { userId: string; name: string; isActive: boolean }[];
}

/** A process announces at most this many attendances of a firm; the others are not shown. */
export const MAX_ATTENDANCES = 500;
/** At most this many of them are of one account. */
export const MAX_OF_ACCOUNT = 20;
/** At most this many accounts are shown of one subject. */
export const MAX_OF_SUBJECT = 20;

/** Returns the attendances that a process announces: of each account and subject once, within the limits. */
export function bounded(attendances: Iterable<Attendance>): Attendance[] {
  const byKey = new Map<string, Attendance>();
  const ofAccount = new Map<string, number>();
  for (const each of attendances) {
    const key = `${each.userId} ${each.subject}`;
    const known = byKey.get(key);
    if (known) {
      if (each.isActive && !known.isActive) byKey.set(key, each);
      continue;
    }
    const count = ofAccount.get(each.userId) ?? 0;
    if (count >= MAX_OF_ACCOUNT || byKey.size >= MAX_ATTENDANCES) continue;
    ofAccount.set(each.userId, count + 1);
    byKey.set(key, each);
  }
  return [...byKey.values()];
}

/** Returns the subjects whose attendees differ from the known ones. Without attendees, nobody attends any more. */
export function changedSubjects(
  known: ReadonlyMap<string, SubjectPresence>,
  announced: readonly ReadonlyMap<string, readonly Attendance[]>[],
): SubjectPresence[] {
  const subjects = new Set([...known.keys(), ...announced.flatMap((each) => [...each.keys()])]);
  return [...subjects]
    .map((subject) => ({
      subject,
      attendees: attendeesOf(announced.flatMap((each) => each.get(subject) ?? [])),
    }))
    .filter(
      ({ subject, attendees }) =>
        JSON.stringify(attendees) !== JSON.stringify(known.get(subject)?.attendees ?? []),
    );
}

function attendeesOf(attendances: readonly Attendance[]): SubjectPresence['attendees'] {
  const byUser = new Map<string, SubjectPresence['attendees'][number]>();
  for (const { userId, name, isActive } of attendances)
    byUser.set(userId, { userId, name, isActive: isActive || byUser.get(userId)?.isActive === true });
  return [...byUser.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1)).slice(0, MAX_OF_SUBJECT);
}
