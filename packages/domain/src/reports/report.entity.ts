import type { BusinessHours, SlaPolicySettings } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

/** By what the figures of a day are divided, beside the team. */
export type Dimension = 'all' | 'tag' | 'language' | 'agent' | 'macro' | 'article';

/** Stands for all teams, whose figures are stored too: they are those that are read most. */
export const ALL_TEAMS = -1;

/** The figures of a local day, a team and a value of a dimension (migration 0035). */
export const ReportDaySchema = defineEntity({
  name: 'ReportDay',
  tableName: 'report_days',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    dimension: p.text().$type<Dimension>().primary(),
    team: p.integer().primary(),
    day: p.date().primary(),
    value: p.text().primary(),
    created: p.integer(),
    hours: p.array((i) => Number(i)).columnType('integer[]'),
    firstResponses: p.array((i) => Number(i)).columnType('integer[]'),
    resolutions: p.array((i) => Number(i)).columnType('integer[]'),
    replyTimes: p.array((i) => Number(i)).columnType('integer[]'),
    firstResponseMet: p.integer(),
    firstResponseMissed: p.integer(),
    resolutionMet: p.integer(),
    resolutionMissed: p.integer(),
    ended: p.integer(),
    endedByAssistant: p.integer(),
    endedAfterHandover: p.integer(),
    assistantAnswers: p.integer(),
    replies: p.integer(),
    uses: p.integer(),
    scores: p.array((i) => Number(i)).columnType('integer[]'),
  },
});

/** With what the days of a firm are counted. A change of it counts all of them again. */
export interface ReportSettings {
  timezone: string;
  hours: BusinessHours | null;
  targets: SlaPolicySettings['targets'] | null;
}

/** How far the figures of a firm are counted. */
export const ReportProgressSchema = defineEntity({
  name: 'ReportProgress',
  tableName: 'report_progress',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    settings: p.json().$type<ReportSettings>(),
    countedAt: p.datetime(3),
    /** When all days were last counted again. */
    recountedAt: p.datetime(3),
  },
});
