import type {
  BulkChangeAction,
  BulkChange as BulkChangeOfContract,
  BulkSkipReason,
  LostRight,
} from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';
import type { TicketAction } from './ticket-action.ts';

/** A ticket that a batch has changed, and the action that undoes it. */
export type Changed = [ticket: string, inverse: TicketAction];
export type Skipped = [ticket: string, reason: BulkSkipReason];

/** A change of many tickets. */
export const BulkChangeSchema = defineEntity({
  name: 'BulkChange',
  tableName: 'bulk_changes',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    /** The account that started it. */
    userId: p.text(),
    action: p.json().$type<BulkChangeAction>(),
    state: p.text().$type<BulkChangeOfContract['state']>().default('running'),
    /** Why it has stopped: its account has lost its rights. */
    stoppedBecause: p.text().$type<LostRight>().nullable(),
    /** The account that undoes it; null if it is not undone. */
    undoneBy: p.text().nullable(),
    tickets: p.integer(),
    changed: p.integer().default(0),
    skipped: p.integer().default(0),
    undone: p.integer().default(0),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});
export class BulkChange extends BulkChangeSchema.class {}
BulkChangeSchema.setClass(BulkChange);

/** The tickets of a bulk change that are changed in one transaction. */
export const BulkChangeBatchSchema = defineEntity({
  name: 'BulkChangeBatch',
  tableName: 'bulk_change_batches',
  properties: {
    workspaceId: p.integer().primary(),
    bulkChangeId: p.text().primary(),
    position: p.integer().primary(),
    tickets: p.array().columnType('text[]'),
    /** The changed tickets with their earlier values, and the skipped ones with the reasons; null before the batch has run. */
    changed: p.json().$type<Changed[]>().nullable(),
    skipped: p.json().$type<Skipped[]>().nullable(),
    isUndone: p.boolean().default(false),
  },
});
export class BulkChangeBatch extends BulkChangeBatchSchema.class {}
BulkChangeBatchSchema.setClass(BulkChangeBatch);
