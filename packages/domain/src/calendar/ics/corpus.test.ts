import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatLocal, utcToLocal } from '@firmdesk/recurrence';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTransaction } from '../../platform/transaction.ts';
import { createUser, createWorkspace } from '../../testing/accounts.ts';
import { openTestServices, type TestServices } from '../../testing/services.ts';
import { expandWindow } from '../expand-window.ts';
import { importIcs } from '../import-ics.ts';
import { createCalendar } from '../testing.ts';
import { findCandidates } from '../window-query.ts';

/** Calendars of other projects with what independent tools make of them; not part of the repository. */
const CORPUS = join(import.meta.dirname, '../../../../../../shared/data/ics');

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

const files = existsSync(CORPUS) ? readdirSync(CORPUS).filter((file) => file.endsWith('.ics')) : [];
if (files.length === 0) console.log(`No calendars to compare with in ${CORPUS}: skipped.`);

let env: TestServices;
let firm: Awaited<ReturnType<typeof createWorkspace>>;
let owner: { id: string };
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(env.services);
  owner = await createUser(env.services, { firm });
});
afterAll(() => env[Symbol.asyncDispose]());

test.skipIf(files.length === 0).for(files.length > 0 ? files : ['a calendar'])(
  '%s shows what other tools show',
  async (file) => {
    const calendar = await createCalendar(env.services, { firm, owner });
    const text = readFileSync(join(CORPUS, file), 'utf8');
    const result = await withTransaction(env.services, (ctx) =>
      importIcs(ctx, { calendarId: calendar, text }),
    );
    expect(result.refused).toEqual([]);
    const { windows } = JSON.parse(
      readFileSync(join(CORPUS, file.replace('.ics', '.expected.json')), 'utf8'),
    ) as Answers;
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
      const shown = occurrences.map(({ event, start, end, override }) => {
        const zone = (override?.all_day ?? event.all_day) ? event.timezone : 'UTC';
        return {
          start: utc(formatLocal(utcToLocal(start, zone))),
          end: utc(formatLocal(utcToLocal(end, zone))),
          summary: override?.title ?? event.title,
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

/** Days are compared as days, and floating times as if in UTC, which is the zone of the account. */
function utc(text: string): string {
  return new Date(text.length === 10 ? text : `${text.replace(/Z$/, '')}Z`).toISOString();
}

function inOrder(a: { start: string; summary: string }, b: { start: string; summary: string }): number {
  return a.start.localeCompare(b.start) || a.summary.localeCompare(b.summary);
}
