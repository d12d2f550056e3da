import type { AnswerInvitationInput, InvitationAnswered } from '@firmdesk/contract';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Event } from '../calendar.entity.ts';
import { publishEventsChanged } from '../calendars/calendar-changes.ts';
import type { NewAttendee } from '../events/new-event.ts';
import { openEvent } from '../events/open-event.ts';
import { updateRow } from '../events/write-rows.ts';
import { sendReply } from '../scheduling/announce-event.ts';
import { isSameAddress, nextStamp } from '../scheduling/organized-event.ts';
import { ownAddresses } from '../scheduling/own-addresses.ts';
import { recordEndedEvent } from './ended-invitations.ts';

/**
 * Answers an invitation that came by mail: confirms it with the caller's response, or deletes it if declined. The organizer gets the answer by mail.
 * Throws `resource_not_found`, `forbidden`, and `validation_failed` for an event that is not an invitation.
 */
export async function answerInvitation(
  ctx: AccountContext,
  { id, response }: AnswerInvitationInput,
): Promise<InvitationAnswered> {
  const event = await openEvent(ctx, id, 'write');
  if (event.source !== 'mail') throw invalidField('id', 'must be the id of an invitation');
  const addresses = await ownAddresses(ctx);
  const invited = addresses.flatMap(
    (address) => event.attendees.find(({ email }) => isSameAddress(email, address)) ?? [],
  );
  const me: NewAttendee = invited[0] ?? { name: ctx.identity.user.name, email: addresses[0]! };
  const answered_at = nextStamp(ctx, { stamp: me.answered_at });
  const answer = { is_organizer: false, is_optional: false, ...me, response, answered_at };
  if (response === 'declined') {
    await ctx.em.nativeDelete(Event, { workspaceId: ctx.workspace.id, id });
    await recordEndedEvent(ctx, ctx.workspace.id, event);
  } else {
    const others = event.attendees.filter((attendee) => attendee !== me);
    await updateRow(ctx.db, 'events', ctx.workspace.id, id, {
      status: 'confirmed',
      attendees: [...others, answer],
      updated_at: ctx.now,
    });
  }
  if (event.status === 'pending' || me.response !== response) await sendReply(ctx, event, answer);
  await publishEventsChanged(ctx, event.calendar_id);
  return { object: 'invitation_answered', id, response };
}
