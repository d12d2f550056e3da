import type { DataRequest, DataRequestKind } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';

/** An export of a person or of the firm, or the erasure of a person. */
export const DataRequestSchema = defineEntity({
  name: 'DataRequest',
  tableName: 'data_requests',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    kind: p.text().$type<DataRequestKind>(),
    /** Whom it is about; null for the export of the firm. */
    personId: p.manyToOne(User).mapToPk().fieldName('person_id').nullable(),
    requestedBy: p.manyToOne(User).mapToPk().fieldName('requested_by'),
    state: p.text().$type<DataRequest['state']>().default('waiting'),
    counts: p
      .json()
      .$type<Record<string, number>>()
      .default('{}')
      // As `mailTemplates` of a workspace.
      .onCreate(() => ({})),
    leftOut: p.array().$type<string[]>().columnType('text[]').default([]),
    problem: p.text().nullable(),
    /** The bytes of the file; null without one. */
    size: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});
export class DataRequestRow extends DataRequestSchema.class {}
DataRequestSchema.setClass(DataRequestRow);
