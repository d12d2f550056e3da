import type { Services } from '@firmdesk/domain';
import { createCalendar, createEvents, createToken, createUser, createWorkspace } from '@firmdesk/testing';

const CALENDARS = 10;
/** With these, the window has about 500 occurrences. */
const SERIES = 80;
const SINGLES = 8_000;
/** The second account has one calendar with this many single events in the window. */
export const CROWDED = 20_000;
export const WINDOW = { from: Date.parse('2026-11-02T00:00:00Z'), until: Date.parse('2026-12-03T00:00:00Z') };
const DAY = 86_400_000;
const YEAR = 365 * DAY;

type Event = Parameters<typeof createEvents>[1][number];

/** Creates an account with several calendars, series and single events of five years. Returns a token of `calendar:read`. */
export async function createAccount(services: Services): Promise<string> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const colleague = await createUser(services, { firm });
  const calendars: number[] = [];
  for (let i = 0; i < CALENDARS; i++) {
    const isOwn = i % 2 === 0;
    calendars.push(
      await createCalendar(services, {
        firm,
        owner: isOwn ? user : colleague,
        shares: isOwn ? [] : [{ user, level: i % 4 === 1 ? 'read' : 'write' }],
      }),
    );
  }
  await createEvents(services, eventsOf(calendars));
  const { text } = await createToken(services, { user, workspace: firm.slug, scopes: ['calendar:read'] });
  return text;
}

/** Creates the third account. Returns its token. */
export async function createCrowdedAccount(services: Services): Promise<string> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const calendar_id = await createCalendar(services, { firm, owner: user, shares: [] });
  const events = Array.from({ length: CROWDED }, (_, i) => {
    const start = WINDOW.from + ((i * 7_919) % 31) * DAY + (8 + (i % 10)) * 3_600_000;
    return {
      ...eventAt(start, i),
      calendar_id,
      timezone: ZONES[i % ZONES.length]!,
      reminders: i % 4 === 0 ? [{ user_id: user.id, minutes_before: 10, channel: 'push' as const }] : [],
    };
  });
  for (let from = 0; from < CROWDED; from += 10_000)
    await createEvents(services, events.slice(from, from + 10_000));
  const { text } = await createToken(services, { user, workspace: firm.slug, scopes: ['calendar:read'] });
  return text;
}

const RULES = [
  ...Array<string>(14).fill('FREQ=WEEKLY'),
  ...Array<string>(3).fill('FREQ=MONTHLY;BYDAY=2TU'),
  ...Array<string>(2).fill('FREQ=MONTHLY;BYMONTHDAY=-1'),
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'];

/** Returns series that began in the ten years before the window, and single events in the five years around it. */
function eventsOf(calendars: readonly number[]): Event[] {
  const events: Event[] = [];
  for (let i = 0; i < SERIES + SINGLES; i++) {
    const isSeries = i < SERIES;
    const day = isSeries
      ? WINDOW.from - Math.floor(((i * 7_919) % SERIES) * ((10 * YEAR) / SERIES))
      : WINDOW.from - 2.5 * YEAR + Math.floor(((i * 7_919) % SINGLES) * ((5 * YEAR) / SINGLES));
    const start = Math.floor(day / DAY) * DAY + (8 + (i % 10)) * 3_600_000;
    events.push({
      ...eventAt(start, i),
      calendar_id: calendars[i % CALENDARS]!,
      timezone: ZONES[i % ZONES.length]!,
      recurrence_rule: isSeries ? RULES[i % RULES.length]! : null,
    });
  }
  return events;
}

function eventAt(start: number, i: number) {
  return {
    title: `Event ${i}`,
    description: 'The agenda of the meeting, and the notes of the last one.',
    location: `Room ${i % 12}`,
    starts_at: iso(start).slice(0, 19),
    ends_at: iso(start + 45 * 60_000).slice(0, 19),
    organizer: { name: 'Robin Example', email: 'robin@example.com' },
    attendees:
      i % 3 === 0 ? [{ name: 'Sam Example', email: 'sam@example.com', response: 'accepted' as const }] : [],
  };
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
