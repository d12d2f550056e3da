import type { ShareLevel } from '@firmdesk/contract';
import type { WorkspaceRef } from '../access/identity.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { Calendar, CalendarShare } from './calendar.entity.ts';
import { insertEvents } from './insert-events.ts';
import type { NewEvent } from './new-event.ts';

export interface CreateCalendarOptions {
  firm: WorkspaceRef;
  owner: { id: string };
  shares?: { user: { id: string }; level: ShareLevel }[];
}

/** Creates a calendar with its shares. Returns its id. */
export function createCalendar(services: Services, input: CreateCalendarOptions): Promise<number> {
  return withTransaction(services, async ({ em, now }) => {
    const calendar = em.create(Calendar, {
      workspaceId: input.firm.id,
      ownerId: input.owner.id,
      name: 'Diary',
      createdAt: now,
    });
    await em.flush();
    for (const { user, level } of input.shares ?? [])
      em.create(CalendarShare, { calendarId: calendar.id, userId: user.id, level });
    await em.flush();
    return calendar.id;
  });
}

/** Inserts events. Omitted fields are those of a meeting of one hour. Returns their ids. */
export function createEvents(
  services: Services,
  events: (Partial<NewEvent> & { calendar_id: number })[],
): Promise<number[]> {
  return withTransaction(services, (ctx) =>
    insertEvents(
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
