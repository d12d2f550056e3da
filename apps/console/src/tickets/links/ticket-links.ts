import type { TicketWithCan } from '@firmdesk/contract';
import { client, queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo } from '../../shell/undo.ts';
import type { ShownTicket } from './ticket-picker.tsx';

type LinkChange = 'link' | 'unlink';

const opposite: Record<LinkChange, LinkChange> = { link: 'unlink', unlink: 'link' };
const failures: Record<LinkChange, string> = {
  link: 'Couldn’t link the tickets',
  unlink: 'Couldn’t remove the link',
};

/** Links a ticket with another, or removes the link. Both can be undone for some seconds. */
export async function changeLink(
  change: LinkChange,
  ticket: TicketWithCan,
  other: ShownTicket,
): Promise<void> {
  if (!(await save(change, ticket.id, other.id))) return;
  const name = change === 'link' ? 'linked with' : 'no longer linked with';
  offerUndo(`${ticket.number} ${name} ${other.number}`, async () =>
    (await save(opposite[change], ticket.id, other.id)) ? 'undone' : 'failed',
  );
}

/** Returns whether it was saved. */
async function save(change: LinkChange, ticket: string, other: string): Promise<boolean> {
  try {
    const { links } = await client.tickets[change].mutate({ ticket, other });
    queryClient.setQueryData(trpc.tickets.get.queryKey({ ticket }), (shown) => shown && { ...shown, links });
    return true;
  } catch (error) {
    reportError(error, failures[change]);
    return false;
  }
}
