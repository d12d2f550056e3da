import { isDeepStrictEqual } from 'node:util';
import { utcToLocal } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { z } from 'zod';
import { zoneOfFirm } from '../access/workspaces/firm-zone.ts';
import { getWorkspace, listWorkspaces } from '../access/workspaces/workspaces.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { newContext, withTransaction } from '../platform/database/transaction.ts';
import { defineJob, enqueue } from '../platform/jobs/jobs.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import { startOfDay } from '../platform/search/start-of-day.ts';
import type { Services } from '../platform/services.ts';
import type { StoredSlaPolicy } from '../sla/index.ts';
import { countDays, dayName, startOf } from './count-days.ts';
import type { ReportSettings } from './report.entity.ts';

/** Counts the figures of all firms. */
export const countReportsJob = defineJob('reports.count', z.object({}));

/** All days are counted again after this local time, because any change of a ticket can change the figures of an earlier day. */
const NIGHT_MS = 180 * MINUTE_MS;

/** The days that are counted at once. */
const DAYS_PER_TURN = 14;

/** Requests that the figures are counted now, before the next time that is planned. */
export function requestReports(ctx: OperationContext): Promise<void> {
  return enqueue(ctx, countReportsJob, {});
}

/** Handles {@link countReportsJob}. A firm that fails does not delay the others. */
export async function countReports(services: Services, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const { id, slug, state } of await listWorkspaces(newContext(services))) {
    if (signal?.aborted) return;
    if (state !== 'served') continue;
    try {
      await services.firmServers.run(id, () => countFirm(services, id));
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace: slug, err: error }, 'the reports of a firm cannot be counted');
    }
  }
  if (failures.length > 0) throw failures[0];
}

export interface CountOptions {
  /** Whether to count all days again, after another process that counts the firm. */
  isRecount?: boolean;
  /** Called after each part, with the days counted so far. */
  onProgress?: (days: number, total: number) => void;
}

/**
 * Counts the figures of a firm since they were last counted, with the day before. Counts all days again after a change of what they are
 * counted with, and every night. Does nothing while another process counts the firm. Returns how many days it counted.
 */
export function countFirm(
  services: Services,
  workspaceId: number,
  { isRecount = false, onProgress = () => {} }: CountOptions = {},
): Promise<number> {
  return withTransaction(services, async (ctx) => {
    const last = await lockProgress(ctx, workspaceId, isRecount);
    if (last === null) return 0;
    const settings = await readReportSettings(ctx, workspaceId);
    const local = (at: Date) => utcToLocal(at.getTime(), settings.timezone);
    const recounts =
      isRecount ||
      !isDeepStrictEqual(last.settings, settings) ||
      last.recounted_at < lastNight(ctx.now, settings.timezone);
    const since = recounts ? await firstDay(ctx, workspaceId) : last.counted_at;
    const from = startOf(local(since)) - DAY_MS;
    // The clocks of processes differ.
    const end = startOf(local(ctx.now)) + 2 * DAY_MS;
    if (recounts) await sql`delete from report_days where workspace_id = ${workspaceId}`.execute(ctx.db);
    const total = (end - from) / DAY_MS;
    for (let day = from; day < end; day += DAYS_PER_TURN * DAY_MS) {
      const until = Math.min(day + DAYS_PER_TURN * DAY_MS, end);
      await countDays(ctx, workspaceId, settings, { from: day, until, areEmpty: recounts });
      onProgress((until - from) / DAY_MS, total);
    }
    const now = ctx.now.toISOString();
    await sql`
      update report_progress set settings = ${JSON.stringify(settings)}::jsonb, counted_at = ${now},
        recounted_at = ${recounts ? now : last.recounted_at.toISOString()}
      where workspace_id = ${workspaceId}`.execute(ctx.db);
    return total;
  });
}

/** Returns the zone of a firm, which is that of its business hours if it has some, with the business hours and the targets. */
export async function readReportSettings(
  { db }: OperationContext,
  workspaceId: number,
): Promise<ReportSettings> {
  const { rows } = await sql<{ sla_policy: StoredSlaPolicy | null; timezone: string }>`
    select sla_policy, ${sql.raw(zoneOfFirm('w.id'))} as timezone from workspaces w
    where id = ${workspaceId}`.execute(db);
  const policy = rows[0]?.sla_policy ?? null;
  return {
    timezone: rows[0]?.timezone ?? 'UTC',
    hours: policy?.hours ?? null,
    targets: policy?.targets ?? null,
  };
}

interface Progress {
  settings: unknown;
  counted_at: Date;
  recounted_at: Date;
}

/** Locks the progress of a firm; null if another process has locked it and it is not to be waited for. */
async function lockProgress(
  { db }: OperationContext,
  workspaceId: number,
  waits: boolean,
): Promise<Progress | null> {
  await sql`
    insert into report_progress (workspace_id, settings, counted_at, recounted_at)
    values (${workspaceId}, '{}', 'epoch', 'epoch') on conflict (workspace_id) do nothing`.execute(db);
  const { rows } = await sql<{ settings: unknown; counted_at: string; recounted_at: string }>`
    select settings, counted_at, recounted_at from report_progress where workspace_id = ${workspaceId}
    for update ${sql.raw(waits ? '' : 'skip locked')}`.execute(db);
  return rows[0]
    ? {
        settings: rows[0].settings,
        counted_at: new Date(rows[0].counted_at),
        recounted_at: new Date(rows[0].recounted_at),
      }
    : null;
}

async function firstDay({ db, now }: OperationContext, workspaceId: number): Promise<Date> {
  const { rows } = await sql<{ at: string | null }>`
    select min(created_at) as at from tickets where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.at ? new Date(rows[0].at) : now;
}

/** Returns when the last night was: {@link NIGHT_MS} after a day began in a zone. */
function lastNight(now: Date, zone: string): Date {
  const today = startOf(utcToLocal(now.getTime() - NIGHT_MS, zone));
  return new Date(Date.parse(startOfDay(dayName(today), zone)) + NIGHT_MS);
}

/** The counted days of a firm. */
export interface RebuiltReports {
  workspace: string;
  days: number;
}

/**
 * Counts all days of all firms again, or of one, now instead of by the job. Each firm is replaced when all of it is counted. Throws
 * `resource_not_found` if there is no such firm.
 */
export async function rebuildReports(
  services: Services,
  {
    workspace,
    onProgress,
  }: {
    /** The firm's slug. */
    workspace?: string | undefined;
    onProgress?: (workspace: string, days: number, total: number) => void;
  },
): Promise<RebuiltReports[]> {
  const ctx = newContext(services);
  const firms = workspace === undefined ? await listWorkspaces(ctx) : [await getWorkspace(ctx, workspace)];
  const rebuilt: RebuiltReports[] = [];
  for (const { id, slug } of firms) {
    const days = await countFirm(services, id, {
      isRecount: true,
      onProgress: (counted, total) => onProgress?.(slug, counted, total),
    });
    rebuilt.push({ workspace: slug, days });
  }
  return rebuilt;
}
