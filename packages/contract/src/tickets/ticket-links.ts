import * as z from 'zod';
import { idOf } from '../values/ids.ts';
import { LinkedTicket, TicketRef } from './tickets.ts';

export const LinkTicketsInput = TicketRef.extend({ other: idOf('ticket') });

/** The links of a ticket after a change, latest first. */
export const TicketLinks = z.object({
  object: z.literal('ticket_links'),
  ticket_id: idOf('ticket'),
  links: z.array(LinkedTicket),
});
export type TicketLinks = z.infer<typeof TicketLinks>;

/** `ticket` is merged into `into`, a ticket of the same trader. */
export const MergeTicketsInput = TicketRef.extend({ into: idOf('ticket') });
