import type { ShareLevel } from '@firmdesk/contract';
import { type Services, withTransaction } from '@firmdesk/domain';
import { insertEventsOfFirms, type NewEvent } from '@firmdesk/domain/import';
import type { WorkspaceRef } from '@firmdesk/domain/testing';

export interface CreateCalendarOptions {
  firm: WorkspaceRef;
  owner: { id: string };
  shares?: { user: { id: string }; level: ShareLevel }[];
}

/** Creates a calendar with its shares. Returns its id. */
export function createCalendar(services: Services, input: CreateCalendarOptions): Promise<number> {
  return withTransaction(services, async ({ db, now }) => {
    const workspace_id = input.firm.id;
    const { id } = await db
      .insertInto('calendars')
      .values({ workspace_id, owner_id: input.owner.id, name: 'Diary', created_at: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const shares = (input.shares ?? []).map(({ user, level }) => ({
      workspace_id,
      calendar_id: id,
      user_id: user.id,
      level,
    }));
    if (shares.length > 0) await db.insertInto('calendar_shares').values(shares).execute();
    return id;
  });
}

/** Inserts events. Omitted fields are those of a meeting of one hour. Returns their ids. */
export function createEvents(
  services: Services,
  events: (Partial<NewEvent> & { calendar_id: number })[],
): Promise<number[]> {
  return withTransaction(services, (ctx) =>
    insertEventsOfFirms(
      ctx,
      events.map((event) => ({
        title: 'Meeting',
        starts_at: '2026-11-23T09:00:00Z',
        ends_at: '2026-11-23T10:00:00Z',
        timezone: 'UTC',
        ...event,
      })),
    ),
  );
}
