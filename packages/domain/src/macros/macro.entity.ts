import type { Macro as MacroOfContract } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';

/** A prepared reply, with the changes that are made when it is sent. */
export const MacroSchema = defineEntity({
  name: 'Macro',
  tableName: 'macros',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    position: p.integer(),
    name: p.text(),
    /** The form of the name in which names are unique (`nameKey`). */
    nameKey: p.text(),
    /** The team that uses it; null for all. */
    teamId: p.integer().nullable(),
    texts: p.json().$type<MacroOfContract['texts']>(),
    tagIds: p.array().$type<number[]>().columnType('int[]'),
    status: p.text().$type<NonNullable<MacroOfContract['actions']['status']>>().nullable(),
    priority: p.text().$type<NonNullable<MacroOfContract['actions']['priority']>>().nullable(),
    assignsAuthor: p.boolean(),
    assigneeId: p.manyToOne(User).mapToPk().nullable().fieldName('assignee_id'),
    used: p.integer().default(0),
    lastUsedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
export class Macro extends MacroSchema.class {}
MacroSchema.setClass(Macro);
