/**
 * The demo data: a trading firm on an ordinary working day, a second firm, and the service's own staff. A first start
 * imports it, and the tests of the console use it.
 */
import type { SeedInput } from '../schema.ts';
import { calendars } from './calendar/calendars.ts';
import { daysAround } from './calendar/days.ts';
import { personalEvents } from './calendar/personal-events.ts';
import { sharedEvents } from './calendar/shared-events.ts';
import { tags, teams } from './labels.ts';
import { macros } from './macros.ts';
import { mailboxes } from './mail/mailboxes.ts';
import { financeMail } from './mail/payouts.ts';
import { personalMail } from './mail/personal.ts';
import { supportMail } from './mail/support.ts';
import { notifications } from './notifications.ts';
import { firms, users } from './people.ts';
import { preRegistrations } from './pre-registrations.ts';
import { devices, tokens } from './sessions.ts';
import { tickets } from './tickets/index.ts';

/** Returns the demo data relative to a time: events lie in its week, all other records have a fixed age. */
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
    macros,
    tickets,
    notifications,
    pre_registrations: preRegistrations,
  };
}
