import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatLocal, utcToLocal } from '@firmdesk/recurrence';
import {
  createCalendar,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { importIcs } from '../invitations/import-ics.ts';
import { expandWindow } from '../window/expand-window.ts';
import { toCalendarEvent } from '../window/to-calendar-event.ts';
import { findCandidates } from '../window/window-query.ts';

/** Calendars with their expected occurrences in some windows. Most expectations come from independent tools (`verified_by`). */
const CORPUS = join(import.meta.dirname, 'corpus');
/** More calendars, of other projects, whose licences keep them out of this repository. */
const FOREIGN_CORPUS = join(import.meta.dirname, '../../../../../../shared/data/ics');

interface Expected {
  uid: string;
  start_utc?: string;
  end_utc?: string;
  start_date?: string;
  end_date?: string;
  start_local?: string;
  end_local?: string;
  summary: string;
  status?: string;
}

interface Answers {
  windows: {
    window: { from: string; until: string };
    expected: Expected[] | null;
    recommended?: string;
    answers?: { by: string[]; answer: Expected[] }[];
  }[];
}

const calendarsIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ics'))
    .map((file) => join(folder, file));
const foreign = existsSync(FOREIGN_CORPUS)
  ? calendarsIn(FOREIGN_CORPUS).filter((path) => !basename(path).startsWith('scenario-'))
  : [];
if (foreign.length === 0)
  console.log(`${FOREIGN_CORPUS} has no calendars: the tests that read them are skipped.`);

let env: TestServices;
let firm: Awaited<ReturnType<typeof createWorkspace>>;
let owner: { id: string };
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(env.services);
  owner = await createUser(env.services, { firm });
});
afterAll(() => env[Symbol.asyncDispose]());

test.for([...calendarsIn(CORPUS), ...foreign].map((path) => [basename(path), path] as const))(
  'shows %s as the corpus expects',
  async ([file, path]) => {
    const calendar = await createCalendar(env.services, { firm, owner });
    const text = readFileSync(path, 'utf8');
    const result = await withTransaction(env.services, (ctx) =>
      importIcs(ctx, { calendarId: calendar, document: text }),
    );
    expect(result.refused).toEqual([]);
    const { windows } = JSON.parse(readFileSync(path.replace('.ics', '.expected.json'), 'utf8')) as Answers;
    for (const { window, expected, recommended, answers } of windows) {
      const wanted = expected ?? answers?.find(({ by }) => by.includes(recommended ?? ''))?.answer;
      if (!wanted) continue;
      const bounds = { from: Date.parse(window.from), until: Date.parse(window.until) };
      const candidates = await findCandidates(env.services.pool, {
        userId: owner.id,
        workspaceId: firm.id,
        window: bounds,
        calendars: [calendar],
      });
      const { occurrences } = await expandWindow(candidates!.events, bounds, 10_000, {
        queue: 'account',
        log: env.log,
      });
      const shown = occurrences.map((occurrence) => {
        const { all_day, timezone, title } = toCalendarEvent(occurrence);
        const zone = all_day ? timezone : 'UTC';
        return {
          start: utc(formatLocal(utcToLocal(occurrence.start, zone))),
          end: utc(formatLocal(utcToLocal(occurrence.end, zone))),
          summary: title,
        };
      });
      expect(shown.sort(inOrder), `${file} ${window.from}`).toEqual(
        wanted
          .filter(({ status }) => status !== 'CANCELLED')
          .map((one) => ({
            start: utc(one.start_utc ?? one.start_date ?? one.start_local!),
            end: utc(one.end_utc ?? one.end_date ?? one.end_local!),
            summary: one.summary,
          }))
          .sort(inOrder),
      );
    }
  },
);

/** Returns a time as an ISO 8601 instant. Days and floating times are read as UTC, the zone of the account. */
function utc(text: string): string {
  return new Date(text.length === 10 ? text : `${text.replace(/Z$/, '')}Z`).toISOString();
}

function inOrder(a: { start: string; summary: string }, b: { start: string; summary: string }): number {
  return a.start.localeCompare(b.start) || a.summary.localeCompare(b.summary);
}
