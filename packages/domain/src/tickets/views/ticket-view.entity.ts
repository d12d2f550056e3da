import type { TicketViewSearch } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';

/** A saved view of an account or of a team, which is its owner. */
export const TicketViewSchema = defineEntity({
  name: 'TicketView',
  tableName: 'ticket_views',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().nullable().fieldName('user_id'),
    teamId: p.integer().nullable(),
    name: p.text(),
    search: p.json().$type<TicketViewSearch>(),
    createdAt: p.datetime(3),
  },
});
export class TicketView extends TicketViewSchema.class {}
TicketViewSchema.setClass(TicketView);

/** The order in which an account sees views. */
export const TicketViewOrderSchema = defineEntity({
  name: 'TicketViewOrder',
  tableName: 'ticket_view_orders',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    /** The ids of views; a view that was deleted since is ignored. */
    views: p.array().columnType('text[]'),
  },
});
export class TicketViewOrder extends TicketViewOrderSchema.class {}
TicketViewOrderSchema.setClass(TicketViewOrder);
