import type { AnswerInvitationInput, InvitationAnswered } from '@firmdesk/contract';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Event } from '../calendar.entity.ts';
import { openEvent } from '../events/open-event.ts';
import { updateRow } from '../events/write-rows.ts';
import { recordEndedEvent } from './ended-invitations.ts';

/**
 * Answers an invitation that came by mail: confirms it with the caller's response, or deletes it if declined.
 * Throws `resource_not_found`, `forbidden`, and `validation_failed` for an event that is not an invitation.
 */
export async function answerInvitation(
  ctx: AccountContext,
  { id, response }: AnswerInvitationInput,
): Promise<InvitationAnswered> {
  const event = await openEvent(ctx, id, 'write');
  if (event.source !== 'mail') throw invalidField('id', 'must be the id of an invitation');
  const db = ctx.db;
  if (response === 'declined') {
    await ctx.em.nativeDelete(Event, { workspaceId: ctx.workspace.id, id });
    await recordEndedEvent(ctx, ctx.workspace.id, event);
  } else {
    const { name, email } = ctx.identity.user;
    const isMe = (attendee: { email: string }) => attendee.email.toLowerCase() === email.toLowerCase();
    const me = event.attendees.find(isMe) ?? { name, email, is_organizer: false, is_optional: false };
    const attendees = [...event.attendees.filter((attendee) => !isMe(attendee)), { ...me, response }];
    await updateRow(db, 'events', ctx.workspace.id, id, {
      status: 'confirmed',
      attendees,
      updated_at: ctx.now,
    });
  }
  return { object: 'invitation_answered', id, response };
}
