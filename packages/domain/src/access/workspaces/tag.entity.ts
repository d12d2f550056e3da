import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from './workspace.entity.ts';

/** A label of events and tickets in a workspace. Deleted tags stay stored, so that restoring one also restores its uses. */
export const TagSchema = defineEntity({
  name: 'Tag',
  tableName: 'tags',
  properties: {
    id: p.integer().primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    name: p.text(),
    color: p.text(),
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
export class Tag extends TagSchema.class {}
TagSchema.setClass(Tag);
