import { EventFieldError, toEventRows } from '@firmdesk/domain/import';
import { formatPath, type Problem } from '../problems.ts';
import type { SeedList, SeedRecord } from '../schema.ts';
import type { Chunk } from './chunk.ts';
import type { ImportState } from './context.ts';
import type { SerialTable } from './ids.ts';
import { resolveEventTimes } from './write-calendar.ts';

const serialTables: { [L in SeedList]?: SerialTable } = {
  mailboxes: 'mailboxes',
  calendars: 'calendars',
  events: 'events',
  tags: 'tags',
  teams: 'teams',
};

/** Checks records beyond their schema (events must be accepted by the calendar), and collects their integer ids. */
export function checkRecords(state: ImportState, { list, first, records }: Chunk): Problem[] {
  const table = serialTables[list];
  if (table) {
    for (const { id } of records as readonly { id?: number | null }[])
      state.highestIds.set(table, Math.max(id ?? 0, state.highestIds.get(table) ?? 0));
  }
  if (list !== 'events') return [];
  return (records as readonly SeedRecord<'events'>[]).flatMap((event, i) => {
    try {
      toEventRows({ ...resolveEventTimes(event, state), calendar_id: 0 });
      return [];
    } catch (error) {
      if (!(error instanceof EventFieldError)) throw error;
      return [{ path: `${formatPath([list, first + i])}.${error.path}`, message: error.problem }];
    }
  });
}
