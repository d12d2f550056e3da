import { company, harborDesk, markets, operations, supportDesk } from './calendars.ts';
import { addDays, at, type Days } from './days.ts';
import {
  type CalendarEvent,
  calendarEvent,
  timed,
  wholeDays,
  withAttendees,
  withConference,
  withReminders,
} from './event.ts';

const LONDON = 'Europe/London';
const NEW_YORK = 'America/New_York';

/** Events in shared calendars: the support team, the firm, the markets, and the other workspaces. */
export function sharedEvents(days: Days): CalendarEvent[] {
  return [...deskEvents(days), ...companyEvents(days), ...marketEvents(days), ...eventsElsewhere(days)];
}

function deskEvents(days: Days): CalendarEvent[] {
  const standup = timed(days.week('MO', -8), '09:30', '09:45', LONDON);
  const nextFriday = at(days.week('FR', 1), '09:30', LONDON);
  const nextWednesday = days.week('WE', 1);
  return [
    calendarEvent(supportDesk, 'standup', 'Daily standup', standup, {
      description: 'What is stuck, who is out, what traders complain about today.',
      recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      exdates: [at(days.week('TH', -1), '09:30', LONDON)],
      overrides: [
        {
          occurrence_start: at(nextWednesday, '09:30', LONDON),
          starts_at: at(nextWednesday, '11:00', LONDON),
          ends_at: at(nextWednesday, '11:30', LONDON),
          title: 'Standup with the payments team',
        },
        { occurrence_start: nextFriday, cancelled: true },
      ],
      ...withAttendees('maya', 'tom', 'lena'),
      ...withConference('81542209930', 'desk'),
      ...withReminders(5, 'maya', 'tom', 'lena'),
    }),
    calendarEvent(supportDesk, 'weekend-shift', 'Weekend shift: Tom', wholeDays(days.week('SA'), 2, LONDON), {
      recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2',
      ...withReminders(720, 'tom'),
    }),
    calendarEvent(
      supportDesk,
      'night-shift',
      'Night shift: Lena',
      timed(days.week('TH'), '22:00', '06:00', 'Europe/Berlin'),
      { recurrence_rule: 'FREQ=WEEKLY;BYDAY=TH;COUNT=6', description: 'Phone is on the desk number.' },
    ),
    calendarEvent(
      supportDesk,
      'macro-review',
      'Macro review',
      timed(days.week('TU', -5), '15:00', '15:45', LONDON),
      {
        recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
        description: 'Go through the ten most used answers, and drop what nobody uses.',
        ...withAttendees('maya', 'lena'),
      },
    ),
    calendarEvent(
      supportDesk,
      'challenge-launch',
      'Launch of the two-step challenge: all hands on the queue',
      timed(days.week('TU', 1), '13:00', '18:00', LONDON),
      { tags: ['platform'], ...withReminders(60, 'maya', 'tom', 'lena') },
    ),
  ];
}

function companyEvents(days: Days): CalendarEvent[] {
  return [
    calendarEvent(
      company,
      'all-hands',
      'All hands',
      timed(days.lastOfMonth('FR', -6), '16:00', '17:00', LONDON),
      {
        recurrence_rule: 'FREQ=MONTHLY;BYDAY=-1FR',
        location: 'Kitchen, second floor, and online',
        ...withAttendees('priya', 'maya', 'tom', 'lena', 'diego', 'nadia'),
        ...withConference('90017744102', 'friday'),
        ...withReminders(15, 'maya', 'priya'),
      },
    ),
    calendarEvent(
      company,
      'offsite',
      'Team days in Lisbon',
      wholeDays(days.week('WE', 3), 3, 'Europe/Lisbon'),
      {
        location: 'Lisbon',
        description: 'Flights are booked; the programme is in the shared folder.',
        tags: ['holiday'],
      },
    ),
    calendarEvent(
      company,
      'anniversary',
      'Northgate was founded',
      wholeDays(days.year('06-12', -3), 1, LONDON),
      {
        recurrence_rule: 'FREQ=YEARLY',
      },
    ),
    calendarEvent(company, 'new-year', "New Year's Day", wholeDays(days.year('01-01', -1), 1, LONDON), {
      recurrence_rule: 'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1',
      tags: ['holiday'],
    }),
    calendarEvent(
      company,
      'payout-run',
      'Payout run',
      timed(days.week('MO', -12), '15:00', '15:30', LONDON),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH',
        tags: ['payout'],
        ...withReminders(30, 'priya'),
      },
    ),
    calendarEvent(company, 'payroll', 'Payroll closes', wholeDays(days.ofMonth(25, -3), 1, LONDON), {
      recurrence_rule: 'FREQ=MONTHLY;BYMONTHDAY=25',
    }),
  ];
}

function marketEvents(days: Days): CalendarEvent[] {
  const firstCount = days.week('WE', -2);
  return [
    calendarEvent(
      markets,
      'us-open',
      'US cash open',
      timed(days.week('MO', -10), '09:30', '09:35', NEW_YORK),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
        tags: ['rules'],
      },
    ),
    calendarEvent(
      markets,
      'oil-stocks',
      'Crude oil inventories',
      timed(days.week('WE', -6), '10:30', '10:40', NEW_YORK),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=WE',
        description: 'No new positions two minutes before and after.',
        tags: ['rules'],
      },
    ),
    calendarEvent(
      markets,
      'rate-decision',
      'Rate decision and press conference',
      timed(days.week('TH', 1), '14:15', '15:30', 'Europe/Berlin'),
      { tags: ['rules'], ...withReminders(30, 'nadia', 'maya') },
    ),
    calendarEvent(
      markets,
      'competition',
      'Monthly competition: interim standing',
      timed(firstCount, '18:00', '18:30', LONDON),
      {
        recurrence_rule: 'FREQ=DAILY;INTERVAL=7;COUNT=5',
        rdates: [at(addDays(firstCount, 3), '18:00', LONDON)],
      },
    ),
  ];
}

function eventsElsewhere(days: Days): CalendarEvent[] {
  return [
    calendarEvent(
      harborDesk,
      'harbor-standup',
      'Desk call',
      timed(days.week('MO', -4), '08:45', '09:00', NEW_YORK),
      {
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR',
        ...withReminders(10, 'owen'),
      },
    ),
    calendarEvent(harborDesk, 'harbor-audit', 'Auditor on site', wholeDays(days.week('TU', 2), 2, NEW_YORK)),
    calendarEvent(
      operations,
      'maintenance',
      'Database maintenance',
      timed(days.week('SU', 1), '23:30', '02:30', 'UTC'),
      { description: 'Read-only for about ten minutes around 00:30.', ...withReminders(120, 'iris') },
    ),
  ];
}
