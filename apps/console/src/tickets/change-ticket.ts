import type { Ticket, TicketPriority, TicketStatus } from '@firmdesk/contract';
import type { ChangeProcedure } from '../outbox/entries.ts';
import { outbox } from '../outbox/outbox.ts';
import { openTicketAgain } from './next-ticket.ts';

export type SettableStatus = Exclude<TicketStatus, 'open'>;

/** Returns the changes of a ticket. Each is shown at once, and returns its key in the outbox. */
export function changesOf(id: string) {
  const change = (procedure: ChangeProcedure, input: object, shown: Partial<Ticket>) =>
    outbox().add({ kind: 'change', ticket: id, procedure, input, shown });
  return {
    change,
    assign: (assignee: Ticket['assignee']) =>
      change('assign', { assignee: assignee?.id ?? null }, { assignee }),
    setTeam: (team: Ticket['team']) => change('assign', { team: team?.id ?? null }, { team }),
    setPriority: (priority: TicketPriority) => change('setPriority', { priority }, { priority }),
    setTags: (tags: Ticket['tags']) => change('setTags', { tags: tags.map((tag) => tag.id) }, { tags }),
    setStatus: (status: SettableStatus) => change('setStatus', { status }, { status }),
    /** Gives a ticket that was just resolved or closed an earlier status back, and opens it. */
    undoEnd(status: TicketStatus) {
      change('undoEnd', { status }, { status, closed_at: null });
      openTicketAgain(id);
    },
  };
}
