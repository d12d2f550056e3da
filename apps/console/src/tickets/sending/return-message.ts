import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { reportError } from '../../shell/report-error.ts';
import { putBackDraft } from '../composer/reply-drafts.ts';
import { isTicketReady } from '../ready-ticket.ts';
import { rejectMessage } from './rejected-message.ts';

/** Puts a message that was not sent back into its draft, and says why. */
export function returnMessage(
  userId: string,
  { ticket, mode, draft }: Pick<UnsavedMessage, 'ticket' | 'mode' | 'draft'>,
  error: unknown,
): void {
  putBackDraft(userId, ticket, mode, { ...draft, key: null });
  // The composer of the open ticket shows the error itself.
  rejectMessage({ ticket, mode, text: draft.text, error });
  if (isTicketReady(ticket)) return;
  const reason = isFirmdeskError(asFirmdeskError(error), 'newer_messages')
    ? 'Message not sent: others have written since. It is kept as a draft on its ticket'
    : 'Message not sent. It is kept as a draft on its ticket';
  reportError(error, reason);
}
