import type { ThreadMessage } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ticket, TicketPlus } from 'lucide-react';
import { client, queryClient, trpc } from '../../api.ts';
import { usePermission } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { IconButton } from '../../ui/button.tsx';

/** Opens a ticket from the newest received message of a conversation, or leads to the one that it has. */
export function TicketOfMail({ messages }: { messages: readonly ThreadMessage[] }) {
  const navigate = useNavigate();
  const canView = usePermission('view_tickets');
  const canManage = usePermission('manage_tickets');
  const open = useMutation({
    mutationFn: (id: string) => client.mail.threads.openTicket.mutate({ id }),
    onSuccess({ ticket }) {
      void queryClient.invalidateQueries(trpc.mail.threads.get.pathFilter());
      void navigate({ to: '/tickets/$ticket', params: { ticket: ticket.id }, search: true });
    },
    onError: (error) => reportError(error, 'Couldn’t open a ticket'),
  });
  const received = messages.findLast(
    ({ folder, previous_folder }) =>
      !['drafts', 'sent'].some((own) => own === folder || own === previous_folder),
  );
  if (!received || !canView) return null;
  const { id, ticket } = received;
  if (ticket)
    return (
      <Link
        to="/tickets/$ticket"
        params={{ ticket: ticket.id }}
        search={true}
        className="inline-flex min-h-8 items-center gap-1.5 rounded-md px-2 hover:bg-hover pointer-coarse:min-h-11"
      >
        <Ticket size={16} aria-hidden="true" />
        Ticket {ticket.number}
      </Link>
    );
  if (!canManage) return null;
  return (
    <IconButton
      icon={TicketPlus}
      label="Open a ticket"
      disabled={open.isPending}
      onClick={() => open.mutate(id)}
    />
  );
}
