import type { Ticket, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../api.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { changeKey, showChange, showTicket } from './ticket-query.ts';

interface Change {
  /** The optimistic change until the service has responded. */
  optimistic: Partial<Ticket>;
  call(): Promise<Ticket>;
  /** The title of the error toast. */
  failure: string;
}

export type SettableStatus = Exclude<TicketStatus, 'open'>;

/** The changes that can be made to a ticket. Each is shown optimistically and rolled back with an error toast on failure. */
export function useTicketActions(ticketId: string) {
  const { mutate } = useMutation({
    mutationKey: changeKey(ticketId),
    // One after another, so that the later of two changes wins.
    scope: { id: ticketId },
    mutationFn: ({ call }: Change) => call(),
    onMutate: ({ optimistic }) => showChange(ticketId, optimistic),
    onSuccess: showTicket,
    onError(error, { failure }, rollBack) {
      rollBack?.();
      reportError(error, failure);
    },
  });
  return useMemo(() => {
    const ticket = ticketId;
    return {
      assign: (assignee: Ticket['assignee']) =>
        mutate({
          optimistic: { assignee },
          call: () => client.tickets.assign.mutate({ ticket, assignee: assignee?.id ?? null }),
          failure: 'Couldn’t assign the ticket',
        }),
      setTeam: (team: Ticket['team']) =>
        mutate({
          optimistic: { team },
          call: () => client.tickets.assign.mutate({ ticket, team: team?.id ?? null }),
          failure: 'Couldn’t change the team',
        }),
      setPriority: (priority: TicketPriority) =>
        mutate({
          optimistic: { priority },
          call: () => client.tickets.setPriority.mutate({ ticket, priority }),
          failure: 'Couldn’t change the priority',
        }),
      setTags: (tags: Ticket['tags']) =>
        mutate({
          optimistic: { tags },
          call: () => client.tickets.setTags.mutate({ ticket, tags: tags.map(({ id }) => id) }),
          failure: 'Couldn’t change the tags',
        }),
      setStatus: (status: SettableStatus) =>
        mutate({
          optimistic: { status },
          call: () => client.tickets.setStatus.mutate({ ticket, status }),
          failure: 'Couldn’t change the status',
        }),
      switchAssistant: (enabled: boolean) =>
        mutate({
          optimistic: { ai_enabled: enabled },
          call: () => client.tickets.switchAssistant.mutate({ ticket, enabled }),
          failure: 'Couldn’t change auto-reply',
        }),
      blockAssistant: (blocked: boolean) =>
        mutate({
          optimistic: { ai_blocked: blocked },
          call: () => client.tickets.blockAssistant.mutate({ ticket, blocked }),
          failure: 'Couldn’t change whether the trader can request the assistant',
        }),
      markRead: () =>
        mutate({
          optimistic: { unread: 0 },
          call: () => client.tickets.markRead.mutate({ ticket }),
          failure: 'Couldn’t mark the messages as read',
        }),
    };
  }, [ticketId, mutate]);
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
