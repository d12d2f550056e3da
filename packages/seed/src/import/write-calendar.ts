import { importIcs } from '@firmdesk/domain';
import { insertEventsOfFirms, type NewEvent } from '@firmdesk/domain/import';
import { formatPath } from '../problems.ts';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { serialIds } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeCalendars(
  ctx: ImportContext,
  calendars: readonly SeedRecord<'calendars'>[],
): Promise<void> {
  const ids = await serialIds(ctx.sql, 'calendars', calendars);
  const rows = calendars.map(({ firm, owner, name, color, shows_busy }, i) => ({
    id: ids[i]!,
    workspace_id: workspaceId(ctx, firm),
    owner_id: person(ctx, owner).id,
    name,
    color: color ?? null,
    shows_busy,
    created_at: ctx.now.toISOString(),
  }));
  const shares = calendars.flatMap(({ shares }, i) =>
    shares.map(({ user, level }) => ({
      workspace_id: rows[i]!.workspace_id,
      calendar_id: ids[i]!,
      user_id: person(ctx, user).id,
      level,
    })),
  );
  await insertRows(ctx.sql, 'calendars', rows);
  await insertRows(ctx.sql, 'calendar_shares', shares);
  for (const [i, { key }] of calendars.entries()) ctx.idMap.set('calendars', key, ids[i]!);
}

type Event = SeedRecord<'events'>;

export async function writeEvents(ctx: ImportContext, events: readonly Event[]): Promise<void> {
  const ids = await insertEventsOfFirms(
    ctx,
    events.map((event) => ({
      ...resolveEventTimes(event, ctx),
      calendar_id: ctx.idMap.get('calendars', event.calendar),
      reminders: event.reminders.map(({ user, minutes_before, channel }) => ({
        user_id: person(ctx, user).id,
        minutes_before,
        channel,
      })),
      tag_ids: event.tags.map((key) => ctx.idMap.get('tags', key)),
    })),
  );
  for (const [i, { key }] of events.entries()) ctx.idMap.set('events', key, ids[i]!);
}

/** Returns the event in the calendar's form, with resolved times and without references. */
export function resolveEventTimes(
  { key: _key, calendar: _calendar, reminders: _reminders, tags: _tags, ...event }: Event,
  ctx: Pick<ImportContext, 'now'>,
): Omit<NewEvent, 'calendar_id'> {
  return {
    ...event,
    starts_at: timestampOf(ctx, event.starts_at),
    ends_at: timestampOf(ctx, event.ends_at),
    rdates: event.rdates.map((date) => timestampOf(ctx, date)),
    exdates: event.exdates.map((date) => timestampOf(ctx, date)),
    overrides: event.overrides.map((override) => ({
      ...override,
      occurrence_start: timestampOf(ctx, override.occurrence_start),
      starts_at: timestampOf(ctx, override.starts_at),
      ends_at: timestampOf(ctx, override.ends_at),
    })),
  };
}

export async function writeIcs(
  ctx: ImportContext,
  documents: readonly SeedRecord<'ics'>[],
  first: number,
): Promise<void> {
  for (const [i, { calendar, text }] of documents.entries()) {
    const calendarId = ctx.idMap.get('calendars', calendar);
    const { refused, notes } = await importIcs(ctx, { calendarId, document: text });
    const messages = [
      ...refused.map(
        ({ line, uid, reason }) => `line ${line}, skipped event ${uid ?? 'without UID'}: ${reason}`,
      ),
      ...notes.map(({ line, message }) => `line ${line}: ${message}`),
    ];
    if (messages.length > 0) ctx.idMap.report({ path: formatPath(['ics', first + i]), messages });
  }
}
