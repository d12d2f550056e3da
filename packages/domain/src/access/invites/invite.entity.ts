import type { Permission } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';

/** An invite of a person to a firm's team. */
export const InviteSchema = defineEntity({
  name: 'Invite',
  tableName: 'invites',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    email: p.text(),
    permissions: p.array().$type<Permission[]>().columnType('text[]'),
    /** Nobody can accept it once this account may not give its permissions. */
    invitedBy: p.manyToOne(User).mapToPk().fieldName('invited_by'),
    state: p.text().$type<'pending' | 'accepted' | 'revoked'>().default('pending'),
    /** How many mails with its link were sent. */
    sent: p.integer().default(0),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export class Invite extends InviteSchema.class {}
InviteSchema.setClass(Invite);
