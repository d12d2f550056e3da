import { sql } from 'kysely';
import { MAILBOX_READERS } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { loadEvent } from '../events/load-event.ts';
import type { StoredEvent } from '../events/new-event.ts';
import { updateRow } from '../events/write-rows.ts';
import type { InvitationReply } from '../ics/read-replies.ts';
import { type InvitationSender, type Invitee, normalAddress } from './invitation-sender.ts';

/**
 * Records the answer of an attendee to an event that the recipient organizes. It counts only from the attendee's own address, and if it answers the times that
 * the event has now. Returns the id of the event, or null if nothing was recorded.
 */
export async function applyReply(
  ctx: OperationContext,
  { userId, workspaceId }: Invitee,
  sender: InvitationSender,
  reply: InvitationReply,
): Promise<number | null> {
  const from = normalAddress(sender.from);
  if (sender.check === 'failed' || from === '' || normalAddress(reply.email) !== from) return null;
  const event = await lockOrganized(ctx, { userId, workspaceId }, reply.uid);
  if (!event || reply.sequence < (event.sequence ?? 0)) return null;
  const isAttendee = ({ email }: { email: string }) => normalAddress(email) === from;
  const known = event.attendees.find(isAttendee);
  if (!known || isSameAddress(known.email, event) || isOlder(reply, known)) return null;
  await updateRow(ctx.db, 'events', workspaceId, event.id!, {
    attendees: event.attendees.map((one) =>
      isAttendee(one) ? { ...one, response: reply.response, answered_at: reply.stamp } : one,
    ),
    updated_at: ctx.now,
  });
  return event.id;
}

function isSameAddress(email: string, { organizer }: StoredEvent): boolean {
  return normalAddress(email) === normalAddress(organizer?.email);
}

/** Returns whether a later answer of the attendee is recorded: mails can arrive in another order. */
function isOlder(reply: InvitationReply, known: { answered_at?: string | null | undefined }): boolean {
  return Boolean(reply.stamp && known.answered_at && Date.parse(reply.stamp) < Date.parse(known.answered_at));
}

/** Returns the event with a UID whose organizer has the account's address or that of one of its mailboxes, and locks it. */
async function lockOrganized(
  ctx: OperationContext,
  { userId, workspaceId }: Invitee,
  uid: string,
): Promise<StoredEvent | null> {
  const { rows } = await sql<{ id: number }>`
    select e.id from events e
    where e.workspace_id = ${workspaceId} and e.uid = ${uid} and e.source = 'manual' and (
      exists (select from users u where u.id = ${userId} and lower(u.email) = lower(e.organizer_email))
      or exists (select from ${sql.raw(MAILBOX_READERS)}
        where b.workspace_id = ${workspaceId} and r.user_id = ${userId} and lower(b.email) = lower(e.organizer_email)))
    order by e.id limit 1
    for no key update of e`.execute(ctx.db);
  return rows[0] ? loadEvent(ctx, workspaceId, rows[0].id) : null;
}
