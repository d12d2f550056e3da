import type { Ticket, TicketPriority, TicketStatus } from '@firmdesk/contract';
import type { client } from '../../api.ts';
import type { ChangeProcedure } from '../../outbox/entries.ts';
import { outbox } from '../../outbox/outbox.ts';
import type { UndoResult } from '../../shell/undo.ts';
import { openTicketAgain } from '../next-ticket.ts';
import { isEnded } from './ticket-labels.ts';

export type SettableStatus = Exclude<TicketStatus, 'open'>;

type UndoChangesInput = Parameters<typeof client.tickets.undoChanges.mutate>[0];

/**
 * Returns the changes of a ticket. Each is shown at once, and returns its key in the outbox.
 *
 * @param undoes the key of the change that they undo
 */
export function changesOf(id: string, undoes?: string) {
  const change = (procedure: ChangeProcedure, input: object, shown: Partial<Ticket>) =>
    outbox().add({ kind: 'change', ticket: id, procedure, input, shown, ...(undoes && { undoes }) });
  return {
    change,
    assign: (assignee: Ticket['assignee']) =>
      change('assign', { assignee: assignee?.id ?? null }, { assignee }),
    setTeam: (team: Ticket['team']) => change('assign', { team: team?.id ?? null }, { team }),
    setPriority: (priority: TicketPriority) => change('setPriority', { priority }, { priority }),
    setTags: (tags: Ticket['tags']) => change('setTags', { tags: tags.map((tag) => tag.id) }, { tags }),
    setStatus: (status: SettableStatus) => change('setStatus', { status }, { status }),
    /** Sets properties back, unless a colleague has changed them since. Opens a ticket again that had ended or was snoozed. */
    undoChanges(input: Omit<UndoChangesInput, 'ticket'>, shown: Partial<Ticket>) {
      const key = change('undoChanges', input, shown);
      const { status, snooze } = input.expected ?? {};
      if (snooze || (status && isEnded(status))) openTicketAgain(id);
      return key;
    },
  };
}

/** Returns what became of a change that undoes something. */
export async function undoResult(key: string): Promise<UndoResult> {
  const isSaved = await outbox().confirmed(key);
  if (isSaved === null) return 'started';
  return isSaved ? 'undone' : 'failed';
}

/** Returns the ids of the tags that one list has and the other has not. */
export function tagsWithout(tags: Ticket['tags'], others: Ticket['tags']): number[] {
  return tags.map(({ id }) => id).filter((id) => others.every((other) => other.id !== id));
}
