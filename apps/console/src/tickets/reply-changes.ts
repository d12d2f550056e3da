import type { Ticket } from '@firmdesk/contract';
import { client } from '../api.ts';
import { replyFields } from '../macros/draft-macros.ts';
import type { UnsavedMessage } from '../outbox/entries.ts';
import { offerUndo } from '../shell/undo.ts';
import { instructionOf } from './assistant-command.ts';
import { changesOf } from './change-ticket.ts';
import { isEnded, priorityLabels, ticketStatusLabels } from './ticket-labels.ts';

/**
 * Returns the ticket before a reply changes it, or null if the reply changes nothing or is held: a held reply is taken back with its
 * changes. Null also if an earlier attempt may have changed the ticket.
 */
export async function ticketBefore(message: UnsavedMessage): Promise<Ticket | null> {
  if (!actionsOf(message) || message.isHeld || message.isTried) return null;
  return client.tickets.get.query({ ticket: message.ticket });
}

/** Offers to undo what a sent reply has changed on its ticket. The reply stays sent. */
export function offerUndoOfChanges(message: UnsavedMessage, before: Ticket): void {
  const { assign, setPriority, setStatus, setTags, undoEnd } = changesOf(message.ticket);
  const actions = actionsOf(message);
  if (!actions) return;
  const { add_tags, status, priority, assignee } = actions;
  const changed: { name: string; undo(): void }[] = [];
  if (status !== null)
    changed.push({
      name: ticketStatusLabels[status].label.toLowerCase(),
      // Without the change the reply lets the ticket await the trader.
      undo: () => (isEnded(status) ? undoEnd('awaiting_trader') : setStatus('awaiting_trader')),
    });
  if (add_tags.some((id) => before.tags.every((tag) => tag.id !== id)))
    changed.push({ name: 'tags changed', undo: () => setTags(before.tags) });
  if (priority !== null && priority !== before.priority)
    changed.push({
      name: `priority ${priorityLabels[priority].toLowerCase()}`,
      undo: () => setPriority(before.priority),
    });
  if (assignee !== null && assignee !== before.assignee?.id)
    changed.push({ name: 'assignee changed', undo: () => assign(before.assignee) });
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name).join(', ');
  offerUndo(`${before.number}: ${names}. Your reply stays sent`, () => {
    for (const { undo } of changed) undo();
  });
}

function actionsOf({ mode, draft: { text, macros } }: UnsavedMessage) {
  return mode === 'reply' && instructionOf(text) === null ? replyFields(macros).actions : undefined;
}
