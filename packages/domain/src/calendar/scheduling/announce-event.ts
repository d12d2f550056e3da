import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { administers } from '../../access/policy.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { NewAttendee, StoredEvent } from '../events/new-event.ts';
import { instantOf } from '../events/stored-time.ts';
import { type ItipMethod, writeIcs } from '../ics/write-ics.ts';
import { inviteesOf, isOrganizedHere, isSameAddress, nextStamp } from './organized-event.ts';
import { mailSchedulingJob, type SchedulingMails } from './scheduling-job.ts';

/**
 * Tells the people of an event, by mail, what has become of it: those who are invited, those who are not any more, and all if something that matters to
 * them has changed. Events of a trader are announced to nobody: the mail would be in the firm's name. `before` is null for a new event, `after` for one that was deleted. An event that is over is announced to nobody.
 */
export async function announceEvent(
  ctx: AccountContext,
  before: StoredEvent | null,
  after: StoredEvent | null,
): Promise<void> {
  if (!(await isOfTeam(ctx))) return;
  const known = before && isOrganizedHere(before) ? inviteesOf(before) : [];
  const invited = after && isOrganizedHere(after) ? inviteesOf(after) : [];
  const isKnown = isAmong(known);
  const removed = known.filter((one) => !isAmong(invited)(one));
  if (removed.length > 0 && before && !isOver(ctx, before)) {
    const last = after ?? { ...before, sequence: (before.sequence ?? 0) + 1, stamp: nextStamp(ctx, before) };
    const cancelled = { ...last, uid: before.uid, organizer: before.organizer, attendees: removed };
    await enqueueMails(ctx, cancelled, { method: 'CANCEL', to: removed, is_update: true });
  }
  if (!after || isOver(ctx, after)) return;
  const isChanged = before !== null && contentOf(before) !== contentOf(after);
  const added = invited.filter((one) => !isKnown(one));
  const updated = isChanged ? invited.filter(isKnown) : [];
  for (const [to, is_update] of [
    [added, false],
    [updated, true],
  ] as const)
    if (to.length > 0) await enqueueMails(ctx, after, { method: 'REQUEST', to, is_update });
}

/** Sends the caller's answer, an attendee with its DTSTAMP, to the organizer of an invitation. */
export async function sendReply(
  ctx: AccountContext,
  event: StoredEvent,
  me: NewAttendee & { response: 'accepted' | 'tentative' | 'declined'; answered_at: string },
): Promise<void> {
  const { organizer, uid } = event;
  if (!organizer || !uid || isSameAddress(organizer.email, me.email)) return;
  const answer = { ...event, attendees: [me], stamp: me.answered_at };
  const { response } = me;
  await enqueueMails(ctx, answer, { method: 'REPLY', to: [organizer], is_update: false, from: me, response });
}

interface Mails {
  method: ItipMethod;
  to: readonly { email: string; name?: string | null | undefined }[];
  is_update: boolean;
  /** By default the organizer. */
  from?: { email: string; name?: string | null | undefined };
  response?: SchedulingMails['response'];
}

async function enqueueMails(
  ctx: AccountContext,
  event: StoredEvent,
  { method, to, is_update, from = event.organizer!, response = null }: Mails,
): Promise<void> {
  const person = ({ email, name }: Mails['to'][number]) => ({ email, name: name ?? null });
  await enqueue(ctx, mailSchedulingJob, {
    workspace: ctx.workspace.id,
    id: randomUUID(),
    user_id: ctx.identity.user.id,
    method,
    is_update,
    response,
    from: person(from),
    to: to.map(person),
    event: {
      title: event.title,
      location: event.location ?? null,
      description: event.description ?? null,
      conference_url: event.conference?.url ?? null,
      starts_at: new Date(instantOf(event.starts_at, event.timezone)).toISOString(),
      timezone: event.timezone,
      all_day: event.all_day,
    },
    ics: writeIcs(event, { method, stamp: event.stamp ?? ctx.now.toISOString() }),
  });
}

async function isOfTeam({ db, identity, workspace }: AccountContext): Promise<boolean> {
  const { rows } = await sql`select where ${administers(identity.user.id, workspace.id)}`.execute(db);
  return rows.length > 0;
}

function isAmong(people: readonly NewAttendee[]): (one: NewAttendee) => boolean {
  return ({ email }) => people.some((other) => isSameAddress(other.email, email));
}

function isOver({ now }: AccountContext, event: StoredEvent): boolean {
  const repeats = Boolean(event.recurrence_rule) || event.rdates.length > 0;
  return !repeats && instantOf(event.ends_at, event.timezone) < now.getTime();
}

/** What matters of an event to its people. */
function contentOf(event: StoredEvent): string {
  const { title, description, location, starts_at, ends_at, all_day, timezone, recurrence_rule } = event;
  const { rdates, exdates, overrides, conference } = event;
  const changes = overrides
    .map(({ sequence: _, stamp: __, ...override }) => override)
    .sort((a, b) => (a.occurrence_start < b.occurrence_start ? -1 : 1));
  return JSON.stringify([
    ...[title, description ?? null, location ?? null, starts_at, ends_at, all_day, timezone],
    ...[recurrence_rule ?? null, rdates, exdates, changes, conference ?? null],
  ]);
}
