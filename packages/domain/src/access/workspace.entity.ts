import { defineEntity, p } from '@mikro-orm/core';

/** A firm, or the reserved workspace `platform` of the service's own staff. */
export const WorkspaceSchema = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.integer().primary(),
    slug: p.text(),
    name: p.text(),
    pushContent: p.text().$type<'full' | 'none'>().default('full'),
    assistantEnabledForTeam: p.boolean().default(true),
    assistantMonthlyAllowance: p.integer().default(1000),
    assistantUsed: p.integer().default(0),
    /** The first day of the month to which `assistantUsed` belongs. */
    assistantPeriod: p.type('date').$type<string>().nullable(),
    createdAt: p.datetime(3),
  },
});

export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
