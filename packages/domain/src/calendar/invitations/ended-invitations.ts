import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { EndedInvitation as EndedInvitationEntity, type EndedOccurrence } from '../calendar.entity.ts';
import type { StoredEvent } from '../events/new-event.ts';
import { type InvitationOwner, normalAddress } from './invitation-sender.ts';
import { compareVersions, type InvitationVersion } from './invitation-version.ts';

/** An invitation, or an occurrence of one, that a calendar no longer has, or never had because its cancellation arrived first. */
export interface EndedInvitation extends InvitationVersion, InvitationOwner {
  uid: string;
  /** Null for the whole event. */
  occurrence: EndedOccurrence | null;
  sender: string;
}

interface Owner {
  workspaceId: number;
  userId: string;
}

/** The maximum number of rows that are read for a UID. */
const MAX_READ = 200;

/** A copy of an ended invitation that is delivered within a year does not bring it back. */
export const endedInvitationRetention = retentionOfFirmTable({
  kind: 'ended_invitations',
  keptMs: 365 * DAY_MS,
  since: 'since it ended',
  table: 'ended_invitations',
  at: 'ended_at',
});

/** Returns the ended invitations with a UID that one of some addresses sent or organized. */
export async function findEnded(
  { db }: OperationContext,
  { workspaceId, userId }: Owner,
  uid: string,
  addresses: readonly (string | null)[],
): Promise<(EndedInvitation & { id: number })[]> {
  const owners = addresses.flatMap((address) => normalAddress(address) || []);
  if (owners.length === 0) return [];
  const rows = await db
    .selectFrom('ended_invitations')
    .select(['id', 'occurrence', 'sender_email', 'organizer_email', 'sequence', 'stamp'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('uid', '=', uid)
    .where((or) => or.or([or('sender_email', 'in', owners), or('organizer_email', 'in', owners)]))
    .orderBy('id', 'desc')
    .limit(MAX_READ)
    .execute();
  return rows.map(({ id, occurrence, sender_email, organizer_email, sequence, stamp }) => ({
    id,
    uid,
    occurrence,
    sender: sender_email,
    organizer: organizer_email,
    sequence,
    stamp,
  }));
}

/** Records an ended invitation, unless a later version of it is recorded. */
export async function recordEnded(
  ctx: OperationContext,
  owner: Owner,
  ended: EndedInvitation,
): Promise<void> {
  const sender = normalAddress(ended.sender);
  const same = (await findEnded(ctx, owner, ended.uid, [sender])).filter(
    (known) => known.sender === sender && isSameOccurrence(known.occurrence, ended.occurrence),
  );
  if (same.some((known) => compareVersions(known, ended) > 0)) return;
  await forgetEnded(ctx, owner, same);
  ctx.em.create(EndedInvitationEntity, {
    workspaceId: owner.workspaceId,
    userId: owner.userId,
    uid: ended.uid,
    occurrence: ended.occurrence,
    senderEmail: sender,
    organizerEmail: normalAddress(ended.organizer) || null,
    sequence: ended.sequence ?? 0,
    stamp: ended.stamp ? new Date(ended.stamp) : null,
    endedAt: ctx.now,
  });
  await ctx.em.flush();
}

function isSameOccurrence(a: EndedOccurrence | null, b: EndedOccurrence | null): boolean {
  if (!a || !b) return a === b;
  return (['text', 'zone', 'isDate'] as const).every((field) => a.time[field] === b.time[field]);
}

/** Records that the event of an invitation was deleted, by its owner or by a cancellation with a version. Other events are not invitations. */
export async function recordEndedEvent(
  ctx: OperationContext,
  workspaceId: number,
  event: StoredEvent,
  cancelled: InvitationVersion = event,
): Promise<void> {
  const sender = event.sender ?? event.organizer?.email;
  if (event.source !== 'mail' || !event.uid || !sender) return;
  const { owner_id } = await ctx.db
    .selectFrom('calendars')
    .select('owner_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', event.calendar_id)
    .executeTakeFirstOrThrow();
  const stamp = cancelled.stamp ?? (cancelled.sequence === event.sequence ? event.stamp : null);
  await recordEnded(
    ctx,
    { workspaceId, userId: owner_id },
    {
      uid: event.uid,
      occurrence: null,
      sender,
      organizer: event.organizer?.email,
      sequence: cancelled.sequence,
      stamp,
    },
  );
}

/** {@link recordEndedEvent} for all events of a calendar that is being deleted, in one statement. */
export async function recordEndedEvents(
  { db, now }: OperationContext,
  workspaceId: number,
  calendarId: number,
): Promise<void> {
  const normal = (column: string) => `lower(btrim(normalize(${column}, NFC)))`;
  await sql`
    insert into ended_invitations (workspace_id, user_id, uid, sender_email, organizer_email, sequence, stamp, ended_at)
    select ${workspaceId}, c.owner_id, e.uid, ${sql.raw(normal('coalesce(e.sender_email, e.organizer_email)'))},
      nullif(${sql.raw(normal('e.organizer_email'))}, ''), e.sequence, e.stamp, ${now.toISOString()}
    from events e join calendars c on c.workspace_id = e.workspace_id and c.id = e.calendar_id
    where e.workspace_id = ${workspaceId} and c.workspace_id = ${workspaceId} and e.calendar_id = ${calendarId}
      and e.source = 'mail'
      and e.uid is not null and coalesce(e.sender_email, e.organizer_email) is not null`.execute(db);
}

/** Deletes records of ended invitations, whose versions an event now has. */
export async function forgetEnded(
  { db }: OperationContext,
  { workspaceId }: Owner,
  ended: readonly { id: number }[],
): Promise<void> {
  if (ended.length === 0) return;
  await db
    .deleteFrom('ended_invitations')
    .where('workspace_id', '=', workspaceId)
    .where(
      'id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute();
}
