import { diegoOwn, lenaOwn, mayaOwn, tomOwn } from './calendars.ts';
import { at, type Days } from './days.ts';
import {
  type CalendarEvent,
  calendarEvent,
  colleague,
  guest,
  optional,
  timed,
  wholeDays,
  withAttendees,
  withConference,
  withReminders,
} from './event.ts';

const LONDON = 'Europe/London';
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

/** Events in personal calendars. */
export function personalEvents(days: Days): CalendarEvent[] {
  return [...mayaEvents(days), ...invitations(days), ...colleaguesEvents(days)];
}

function mayaEvents(days: Days): CalendarEvent[] {
  const nextTuesday = days.week('TU', 1);
  const pastSeries = days.week('MO', -9);
  return [
    calendarEvent(
      mayaOwn,
      'one-to-one-tom',
      '1:1 with Tom',
      timed(days.week('TU', -8), '10:00', '10:30', LONDON),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU',
        overrides: [
          {
            occurrence_start: at(nextTuesday, '10:00', LONDON),
            starts_at: at(days.week('WE', 1), '14:00', LONDON),
            ends_at: at(days.week('WE', 1), '14:30', LONDON),
            location: 'Walk around the dock',
          },
        ],
        ...withAttendees('maya', 'tom'),
        ...withReminders(10, 'maya', 'tom'),
      },
    ),
    calendarEvent(
      mayaOwn,
      'one-to-one-lena',
      '1:1 mit Lena',
      timed(days.week('WE', -7), '14:00', '14:45', BERLIN),
      {
        recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE',
        ...withAttendees('maya', 'lena'),
        ...withConference('77120993418', 'lena'),
        ...withReminders(10, 'maya'),
      },
    ),
    calendarEvent(
      mayaOwn,
      'interview',
      'Second interview: Carla Jiménez',
      timed(days.week('TH'), '15:00', '16:00', LONDON),
      {
        description:
          'Two sample answers are attached to her mail. Lena asks about tone, Diego about Spanish.',
        tags: ['hiring'],
        ...withAttendees(
          'maya',
          'lena',
          colleague('diego', 'tentative'),
          guest('Carla Jiménez', 'carla.jimenez@example.com'),
        ),
        ...withConference('70230015587', 'hola'),
        ...withReminders(30, 'maya'),
      },
    ),
    calendarEvent(mayaOwn, 'gym', 'Bouldering', timed(days.week('MO', -3), '18:30', '20:00', LONDON), {
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH',
    }),
    calendarEvent(mayaOwn, 'course', 'Leadership course', timed(pastSeries, '12:00', '13:30', LONDON), {
      recurrence_rule: `FREQ=WEEKLY;BYDAY=MO;UNTIL=${utcForm(at(days.week('MO', 2), '12:00', LONDON))}`,
      conference: {
        provider: 'google_meet',
        url: 'https://meet.example.com/lead-ers-hip',
        meeting_id: null,
        passcode: null,
      },
    }),
    calendarEvent(
      mayaOwn,
      'vacation',
      'Away: Dalarna',
      wholeDays(days.week('MO', 5), 7, 'Europe/Stockholm'),
      {
        tags: ['holiday'],
      },
    ),
    calendarEvent(mayaOwn, 'birthday', "Tom's birthday", wholeDays(days.year('09-17', -2), 1, LONDON), {
      recurrence_rule: 'FREQ=YEARLY',
      ...withReminders(900, 'maya'),
    }),
    calendarEvent(mayaOwn, 'lunch', 'Lunch with Nadia', timed(days.today(1), '12:30', '13:30', LONDON), {
      location: 'Canteen of the harbour office',
    }),
    calendarEvent(mayaOwn, 'today-review', 'Queue review', timed(days.today(), '16:30', '17:00', LONDON), {
      description: 'Everything older than two days.',
      ...withReminders(15, 'maya'),
    }),
  ];
}

/** Invitations that arrived by mail and are not answered. */
function invitations(days: Days): CalendarEvent[] {
  const byMail = { source: 'mail', status: 'pending' } as const;
  return [
    calendarEvent(
      mayaOwn,
      'invite-vendor',
      'Demo: new verification flow',
      timed(days.week('FR', 1), '10:00', '10:45', NEW_YORK),
      {
        ...byMail,
        description: 'Thirty minutes of demo, then questions.',
        conference: {
          provider: 'teams',
          url: 'https://teams.example.com/meet/verity-demo',
          meeting_id: '318 224 901 77',
          passcode: 'Kt9wqe',
        },
        ...withAttendees(
          guest('Paul Anning', 'paul.anning@veritychecks.example'),
          colleague('maya', 'needs_action'),
          optional(colleague('nadia', 'needs_action')),
        ),
      },
    ),
    calendarEvent(
      mayaOwn,
      'invite-podcast',
      'Call before the podcast',
      timed(days.week('WE', 1), '16:00', '16:20', LONDON),
      {
        ...byMail,
        ...withAttendees(
          guest('Ben from Pips and Coffee', 'pipsandcoffee@example.org'),
          colleague('maya', 'needs_action'),
          colleague('diego', 'accepted'),
        ),
      },
    ),
    calendarEvent(
      tomOwn,
      'invite-bridge',
      'Bridge vendor: weekly call',
      timed(days.week('TH', 1), '11:00', '11:30', LONDON),
      {
        ...byMail,
        recurrence_rule: 'FREQ=WEEKLY;COUNT=4',
        ...withAttendees(
          guest('Tradelink Support', 'cases@tradelink.example'),
          colleague('tom', 'needs_action'),
        ),
      },
    ),
  ];
}

function colleaguesEvents(days: Days): CalendarEvent[] {
  return [
    calendarEvent(tomOwn, 'school-run', 'School run', timed(days.week('MO', -4), '08:15', '08:45', LONDON), {
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR',
    }),
    calendarEvent(tomOwn, 'physio', 'Physio', timed(days.week('WE'), '17:30', '18:15', LONDON)),
    calendarEvent(
      tomOwn,
      'night-train',
      'Night train to Glasgow',
      timed(days.week('FR', 2), '23:50', '07:20', LONDON),
    ),
    calendarEvent(
      lenaOwn,
      'german-class',
      'Deutsch für Kollegen',
      timed(days.week('FR', -6), '12:00', '12:45', BERLIN),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=FR',
        exdates: [at(days.week('FR', -2), '12:00', BERLIN)],
        ...withAttendees('lena', colleague('maya', 'accepted'), colleague('sofia', 'declined')),
      },
    ),
    calendarEvent(lenaOwn, 'sister', 'Besuch von Anna', wholeDays(days.week('SA', 1), 2, BERLIN)),
    calendarEvent(
      diegoOwn,
      'affiliate-call',
      'Affiliate round table',
      timed(days.lastOfMonth('TU', -6), '11:00', '12:00', NEW_YORK),
      {
        recurrence_rule: 'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-1',
        tags: ['affiliate'],
        ...withAttendees(
          'diego',
          guest('Mateo Rojas', 'mateo.rojas@example.net'),
          guest('Wei Chen', 'wei.chen@example.net'),
        ),
        ...withReminders(15, 'diego'),
      },
    ),
    calendarEvent(diegoOwn, 'flight', 'Flight JFK to Lisbon', {
      starts_at: at(days.week('TU', 3), '19:10', NEW_YORK),
      ends_at: at(days.week('WE', 3), '07:05', 'Europe/Lisbon'),
      timezone: NEW_YORK,
    }),
  ];
}

/** Converts `2026-03-02T12:00:00.000Z` to the form of recurrence rules, `20260302T120000Z`. */
function utcForm(iso: string): string {
  return `${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
