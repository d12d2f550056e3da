import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ticketPath } from '../ticket-row.ts';
import type { TicketState } from '../ticket-state.ts';

/** Notifies an agent to whom the service has assigned a ticket by itself. */
export async function notifyOfAssignment(
  ctx: OperationContext,
  ticket: TicketState,
  agent: string,
): Promise<void> {
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      reason: 'assignment',
      title: `Ticket #${ticket.number} was assigned to you`,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    [agent],
  );
}
