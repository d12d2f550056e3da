import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';

/** An account that follows a ticket. */
export const TicketFollowerSchema = defineEntity({
  name: 'TicketFollower',
  tableName: 'ticket_followers',
  properties: {
    workspaceId: p.integer().primary(),
    ticketId: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    createdAt: p.datetime(3),
  },
});
export class TicketFollower extends TicketFollowerSchema.class {}
TicketFollowerSchema.setClass(TicketFollower);
