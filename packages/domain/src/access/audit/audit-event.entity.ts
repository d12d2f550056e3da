import { defineEntity, p } from '@mikro-orm/core';
import type { Actor } from '../../platform/database/context.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** An entry of the audit trail. */
export const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    /** The firm that it concerns; `platform` for one of a whole account or of the installation. */
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    createdAt: p.datetime(3),
    actorKind: p.text().$type<Actor['kind']>(),
    /** The name of an operator, or the id of an account; null for the system. */
    actor: p.text().nullable(),
    /** The network from which a call made the change. */
    network: p.text().nullable(),
    action: p.text(),
    targetType: p.text(),
    targetId: p.text(),
    before: p.json().nullable(),
    after: p.json().nullable(),
  },
});
