import type { Ticket, TicketPriority } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffectEvent, useMemo } from 'react';
import { client } from '../api.ts';
import { outbox } from '../outbox/outbox.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { offerUndo } from '../shell/undo.ts';
import { changesOf, type SettableStatus, tagsWithout, undoResult } from './properties/change-ticket.ts';
import { priorityLabels, ticketStatusLabels } from './properties/ticket-labels.ts';

/**
 * The changes that can be made to a ticket. Each is shown at once, marked until the service has confirmed it, and can be undone
 * for some seconds.
 */
export function useTicketActions(ticket: Ticket) {
  const current = useEffectEvent(() => ticket);
  const { id } = ticket;
  return useMemo(() => {
    const { change, assign, setTeam, setPriority, setTags, setStatus } = changesOf(id);
    /** @param back undoes the change, unless the service cannot have received it: then it is dropped */
    const undoable = (name: string, key: string, back: (changes: ReturnType<typeof changesOf>) => string) =>
      offerUndo(
        `${current().number}: ${name}`,
        async () => ((await outbox().drop(key)) ? 'undone' : undoResult(back(changesOf(id, key)))),
        { of: key },
      );
    return {
      assign(assignee: Ticket['assignee']) {
        const before = current().assignee;
        const name = assignee ? `assigned to ${assignee.name}` : 'unassigned';
        undoable(name, assign(assignee), ({ undoChanges }) =>
          undoChanges(
            { assignee: before?.id ?? null, expected: { assignee: assignee?.id ?? null } },
            { assignee: before },
          ),
        );
      },
      setTeam(team: Ticket['team']) {
        const before = current().team;
        const name = team ? `moved to ${team.name}` : 'removed from its team';
        undoable(name, setTeam(team), ({ undoChanges }) =>
          undoChanges({ team: before?.id ?? null, expected: { team: team?.id ?? null } }, { team: before }),
        );
      },
      setPriority(priority: TicketPriority) {
        const before = current().priority;
        const name = `priority ${priorityLabels[priority].toLowerCase()}`;
        undoable(name, setPriority(priority), ({ undoChanges }) =>
          undoChanges({ priority: before, expected: { priority } }, { priority: before }),
        );
      },
      setTags(tags: Ticket['tags']) {
        const before = current().tags;
        undoable('tags changed', setTags(tags), ({ undoChanges }) =>
          undoChanges(
            { add_tags: tagsWithout(before, tags), remove_tags: tagsWithout(tags, before) },
            { tags: before },
          ),
        );
      },
      setStatus(status: SettableStatus) {
        const { status: before } = current();
        const name = ticketStatusLabels[status].label.toLowerCase();
        undoable(name, setStatus(status), ({ undoChanges }) =>
          undoChanges(
            // A ticket that has ended takes no other status.
            { status: before as Exclude<typeof before, 'resolved' | 'closed'>, expected: { status } },
            { status: before, closed_at: null },
          ),
        );
      },
      switchAssistant: (enabled: boolean) => change('switchAssistant', { enabled }, { ai_enabled: enabled }),
      blockAssistant: (blocked: boolean) => change('blockAssistant', { blocked }, { ai_blocked: blocked }),
      snooze(until: Date | null) {
        const { snoozed, snoozed_until, woken_at } = current();
        const time = until?.toISOString() ?? null;
        const key = change('snooze', { until: time }, { snoozed: true, snoozed_until: time, woken_at: null });
        undoable('snoozed', key, ({ undoChanges }) =>
          undoChanges(
            { snooze: snoozed ? { until: snoozed_until } : null, expected: { snooze: { until: time } } },
            { snoozed, snoozed_until, woken_at },
          ),
        );
      },
      endSnooze() {
        const { snoozed_until } = current();
        const key = change('endSnooze', {}, { snoozed: false, snoozed_until: null });
        undoable('no longer snoozed', key, ({ undoChanges }) =>
          undoChanges(
            { snooze: { until: snoozed_until }, expected: { snooze: null } },
            { snoozed: true, snoozed_until },
          ),
        );
      },
      markUnread() {
        const key = change('markUnread', {}, { unread: Math.max(1, current().unread) });
        undoable('marked as unread', key, (changes) => changes.change('markRead', {}, { unread: 0 }));
      },
      markRead: () => change('markRead', {}, { unread: 0 }),
    };
  }, [id]);
}

export type TicketActions = ReturnType<typeof useTicketActions>;

/** Stops the current or pending reply of the assistant, for all viewers. */
export function useStopAssistant(ticketId: string) {
  return useMutation({
    mutationFn: () => client.tickets.stopAssistant.mutate({ ticket: ticketId }),
    onSuccess: ({ stopped }) =>
      announce(stopped > 0 ? 'The assistant was stopped.' : 'The assistant had already finished.'),
    onError: (error) => reportError(error, 'Couldn’t stop the assistant'),
  });
}
