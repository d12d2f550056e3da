import { defineEntity, p } from '@mikro-orm/core';

/** What the trader of a ticket was asked and answered. */
export const TicketRatingSchema = defineEntity({
  name: 'TicketRating',
  tableName: 'ticket_ratings',
  properties: {
    workspaceId: p.integer().primary(),
    ticketId: p.text().primary(),
    /** When the trader was asked by mail. */
    askedAt: p.datetime(3).nullable(),
    /** From 1 to 5; null until the trader answers. */
    score: p.smallint().nullable(),
    comment: p.text().default(''),
    ratedAt: p.datetime(3).nullable(),
  },
});
