import type { LinkedTicket } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';

/** A link from a ticket to another one. Two rows for each link. */
export const TicketLinkSchema = defineEntity({
  name: 'TicketLink',
  tableName: 'ticket_links',
  properties: {
    workspaceId: p.integer().primary(),
    ticketId: p.text().primary(),
    otherId: p.text().primary(),
    relation: p.text().$type<LinkedTicket['relation']>().default('linked'),
    createdAt: p.datetime(3),
  },
});
export class TicketLink extends TicketLinkSchema.class {}
TicketLinkSchema.setClass(TicketLink);
