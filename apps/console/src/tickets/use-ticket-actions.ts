import type { Ticket, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../api.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { changeKey, showChange, showTicket } from './ticket-query.ts';

interface Change {
  /** How it is shown until the service has answered. */
  shown: Partial<Ticket>;
  call(): Promise<Ticket>;
  /** What is said when it is refused. */
  refused: string;
}

export type SettableStatus = Exclude<TicketStatus, 'open'>;

/** What can be done to a ticket: each is shown at once, and taken back and told when the service refuses it. */
export function useTicketActions(ticketId: string) {
  const { mutate } = useMutation({
    mutationKey: changeKey(ticketId),
    // One after another: of two choices the later is to hold.
    scope: { id: ticketId },
    mutationFn: ({ call }: Change) => call(),
    onMutate: ({ shown }) => showChange(ticketId, shown),
    onSuccess: showTicket,
    onError(error, { refused }, takeBack) {
      takeBack?.();
      reportError(error, refused);
    },
  });
  return useMemo(() => {
    const ticket = ticketId;
    return {
      assign: (assignee: Ticket['assignee']) =>
        mutate({
          shown: { assignee },
          call: () => client.tickets.assign.mutate({ ticket, assignee: assignee?.id ?? null }),
          refused: 'The ticket was not assigned',
        }),
      setTeam: (team: Ticket['team']) =>
        mutate({
          shown: { team },
          call: () => client.tickets.assign.mutate({ ticket, team: team?.id ?? null }),
          refused: 'The team was not changed',
        }),
      setPriority: (priority: TicketPriority) =>
        mutate({
          shown: { priority },
          call: () => client.tickets.setPriority.mutate({ ticket, priority }),
          refused: 'The priority was not changed',
        }),
      setTags: (tags: Ticket['tags']) =>
        mutate({
          shown: { tags },
          call: () => client.tickets.setTags.mutate({ ticket, tags: tags.map(({ id }) => id) }),
          refused: 'The tags were not changed',
        }),
      setStatus: (status: SettableStatus) =>
        mutate({
          shown: { status },
          call: () => client.tickets.setStatus.mutate({ ticket, status }),
          refused: 'The status was not changed',
        }),
      switchAssistant: (enabled: boolean) =>
        mutate({
          shown: { ai_enabled: enabled },
          call: () => client.tickets.switchAssistant.mutate({ ticket, enabled }),
          refused: 'The assistant was not switched',
        }),
      blockAssistant: (blocked: boolean) =>
        mutate({
          shown: { ai_blocked: blocked },
          call: () => client.tickets.blockAssistant.mutate({ ticket, blocked }),
          refused: 'This was not changed',
        }),
      markRead: () =>
        mutate({
          shown: { unread: 0 },
          call: () => client.tickets.markRead.mutate({ ticket }),
          refused: 'The messages were not marked read',
        }),
    };
  }, [ticketId, mutate]);
}

export type TicketActions = ReturnType<typeof useTicketActions>;

/** Stops what the assistant writes, or is about to write, for everybody. */
export function useStopAssistant(ticketId: string) {
  return useMutation({
    mutationFn: () => client.tickets.stopAssistant.mutate({ ticket: ticketId }),
    onSuccess: ({ stopped }) =>
      announce(stopped > 0 ? 'The assistant was stopped.' : 'It had ended already.'),
    onError: (error) => reportError(error, 'The assistant was not stopped'),
  });
}
