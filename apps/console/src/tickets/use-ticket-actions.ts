import type { Ticket, TicketPriority } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffectEvent, useMemo } from 'react';
import { client } from '../api.ts';
import { outbox } from '../outbox/outbox.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { offerUndo } from '../shell/undo.ts';
import { changesOf, type SettableStatus } from './change-ticket.ts';
import { openTicketAgain } from './next-ticket.ts';
import { isEnded, priorityLabels, ticketStatusLabels } from './ticket-labels.ts';

/**
 * The changes that can be made to a ticket. Each is shown at once, marked until the service has confirmed it, and can be undone
 * for some seconds.
 */
export function useTicketActions(ticket: Ticket) {
  const current = useEffectEvent(() => ticket);
  const { id } = ticket;
  return useMemo(() => {
    const { change, assign, setTeam, setPriority, setTags, setStatus, undoEnd } = changesOf(id);
    /** @param back what undoes the change, unless it waits for the line: then it is dropped */
    const undoable = (name: string, key: string, back: () => void) =>
      offerUndo(`${current().number}: ${name}`, async () => (await outbox().drop(key)) || back());
    return {
      assign(assignee: Ticket['assignee']) {
        const before = current().assignee;
        const name = assignee ? `assigned to ${assignee.name}` : 'unassigned';
        undoable(name, assign(assignee), () => assign(before));
      },
      setTeam(team: Ticket['team']) {
        const before = current().team;
        undoable(team ? `moved to ${team.name}` : 'removed from its team', setTeam(team), () =>
          setTeam(before),
        );
      },
      setPriority(priority: TicketPriority) {
        const before = current().priority;
        const name = `priority ${priorityLabels[priority].toLowerCase()}`;
        undoable(name, setPriority(priority), () => setPriority(before));
      },
      setTags(tags: Ticket['tags']) {
        const before = current().tags;
        undoable('tags changed', setTags(tags), () => setTags(before));
      },
      setStatus(status: SettableStatus) {
        const { status: before } = current();
        const key = setStatus(status);
        undoable(ticketStatusLabels[status].label.toLowerCase(), key, () => {
          if (isEnded(status)) undoEnd(before);
          else if (before !== 'open' && !isEnded(before)) setStatus(before);
          else change('switchAssistant', { enabled: true }, { status: before, ai_enabled: true });
        });
      },
      switchAssistant: (enabled: boolean) => change('switchAssistant', { enabled }, { ai_enabled: enabled }),
      blockAssistant: (blocked: boolean) => change('blockAssistant', { blocked }, { ai_blocked: blocked }),
      snooze(until: Date | null) {
        const { snoozed, snoozed_until, woken_at } = current();
        const snoozed_until_now = until?.toISOString() ?? null;
        const shown = { snoozed: true, snoozed_until: snoozed_until_now, woken_at: null };
        const key = change('snooze', { until: snoozed_until_now }, shown);
        undoable('snoozed', key, () => {
          if (snoozed) change('snooze', { until: snoozed_until }, { snoozed, snoozed_until, woken_at });
          else change('endSnooze', {}, { snoozed, snoozed_until, woken_at });
          openTicketAgain(id);
        });
      },
      endSnooze() {
        const { snoozed_until } = current();
        const key = change('endSnooze', {}, { snoozed: false, snoozed_until: null });
        undoable('no longer snoozed', key, () =>
          change('snooze', { until: snoozed_until }, { snoozed: true, snoozed_until }),
        );
      },
      markUnread() {
        const key = change('markUnread', {}, { unread: Math.max(1, current().unread) });
        undoable('marked as unread', key, () => change('markRead', {}, { unread: 0 }));
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
