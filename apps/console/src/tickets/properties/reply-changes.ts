import type { Ticket } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { replyFields } from '../../macros/draft-macros.ts';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { offerUndo } from '../../shell/undo.ts';
import { instructionOf } from '../composer/assistant-command.ts';
import { changesOf, undoResult } from './change-ticket.ts';
import { priorityLabels, ticketStatusLabels } from './ticket-labels.ts';

/**
 * Returns the ticket before a reply changes it, or null if the reply changes nothing or is delayed: a delayed send is undone with its
 * changes. Null also if an earlier attempt may have changed the ticket.
 */
export async function ticketBefore(message: UnsavedMessage): Promise<Ticket | null> {
  if (!actionsOf(message) || message.isDelayed || message.isTried) return null;
  return client.tickets.get.query({ ticket: message.ticket });
}

/** Offers to undo what a sent reply has changed on its ticket. The reply stays sent. */
export function offerUndoOfChanges(message: UnsavedMessage, before: Ticket): void {
  const actions = actionsOf(message);
  if (!actions) return;
  const { add_tags, status, priority, assignee } = actions;
  const names: string[] = [];
  const { undoChanges } = changesOf(message.ticket);
  const back: Parameters<typeof undoChanges>[0] = { expected: {} };
  const shown: Partial<Ticket> = {};
  if (status !== null) {
    names.push(ticketStatusLabels[status].label.toLowerCase());
    // Without the change the reply lets the ticket await the trader.
    back.status = shown.status = 'awaiting_trader';
    back.expected!.status = status;
    shown.closed_at = null;
  }
  const added = add_tags.filter((id) => before.tags.every((tag) => tag.id !== id));
  if (added.length > 0) {
    names.push('tags changed');
    back.remove_tags = added;
    shown.tags = before.tags;
  }
  if (priority !== null && priority !== before.priority) {
    names.push(`priority ${priorityLabels[priority].toLowerCase()}`);
    back.priority = shown.priority = before.priority;
    back.expected!.priority = priority;
  }
  if (assignee !== null && assignee !== before.assignee?.id) {
    names.push('assignee changed');
    back.assignee = before.assignee?.id ?? null;
    back.expected!.assignee = assignee;
    shown.assignee = before.assignee;
  }
  if (names.length === 0) return;
  offerUndo(`${before.number}: ${names.join(', ')}. Your reply stays sent`, () =>
    undoResult(undoChanges(back, shown)),
  );
}

function actionsOf({ mode, draft: { text, macros } }: UnsavedMessage) {
  return mode === 'reply' && instructionOf(text) === null ? replyFields(macros).actions : undefined;
}
