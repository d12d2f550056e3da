import { defineEntity, p } from '@mikro-orm/core';

/** A firm, or the reserved `platform` of the service's own staff. First in every index of what belongs to it. */
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
    /** The first day of the month that `assistantUsed` counts. */
    assistantPeriod: p.type('date').$type<string>().nullable(),
    createdAt: p.datetime(3),
  },
});

export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
