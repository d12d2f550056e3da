import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { outbox } from '../../outbox/outbox.ts';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { emptyDraft, putBackDraft } from '../composer/reply-drafts.ts';
import { isTicketReady } from '../ready-ticket.ts';

/** Offers to undo a command to the assistant, whose note the service has stored. */
export function offerUndoOfCommand(note: TicketMessage): void {
  const hasButton = isTicketReady(note.ticket_id);
  offerUndo('Asking the assistant', () => undoCommand(note), { of: note.id, hasButton });
}

/** Undoes a command to the assistant and puts it back into the draft, unless its reply is written already. */
async function undoCommand({ ticket_id: ticket, id, body }: TicketMessage): Promise<UndoResult> {
  withdrawUndo(id);
  try {
    await client.tickets.undoCommand.mutate({ ticket, message: id });
  } catch (error) {
    if (asFirmdeskError(error).code === 'reply_sent') return 'late';
    reportError(error, 'Couldn’t undo');
    return 'failed';
  }
  putBackDraft(outbox().userId, ticket, 'reply', { ...emptyDraft, text: body });
  return 'undone';
}
