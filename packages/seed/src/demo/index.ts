/**
 * The demo: a trading firm as it looks on an ordinary working day, a second firm beside it, and the service's own
 * staff. What a first start shows, and what the tests of the console walk through.
 */
import type { SeedInput } from '../schema.ts';
import { calendars } from './calendar/calendars.ts';
import { daysAround } from './calendar/days.ts';
import { personalEvents } from './calendar/personal-events.ts';
import { sharedEvents } from './calendar/shared-events.ts';
import { tags, teams } from './labels.ts';
import { mailboxes } from './mail/mailboxes.ts';
import { financeMail } from './mail/payouts.ts';
import { personalMail } from './mail/personal.ts';
import { supportMail } from './mail/support.ts';
import { notifications } from './notifications.ts';
import { firms, users } from './people.ts';
import { preRegistrations } from './pre-registrations.ts';
import { devices, tokens } from './sessions.ts';
import { tickets } from './tickets/index.ts';

export { DEMO_EMAIL, DEMO_PASSWORD } from './people.ts';

/** The key of the token that the demo prints. */
export const DEMO_TOKEN = 'demo';

/** The demo seed around a moment: appointments have their hours of this week, everything else its age. */
export function demoSeed(now: Date): SeedInput {
  const days = daysAround(now);
  return {
    firms,
    users,
    tokens,
    devices,
    mailboxes,
    messages: [...supportMail, ...financeMail, ...personalMail],
    tags,
    calendars,
    events: [...sharedEvents(days), ...personalEvents(days)],
    teams,
    tickets,
    notifications,
    pre_registrations: preRegistrations,
  };
}
