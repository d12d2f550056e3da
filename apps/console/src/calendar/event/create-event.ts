import { callNowOrLater } from '../../outbox/calls.ts';
import { type EventValues, fieldsOf } from './event-form.ts';
import { readReminder } from './reminders.ts';

/** Creates the event of a form in a calendar, also without a network: then it is sent later. */
export async function createEvent(values: EventValues, calendar_id: number, timezone: string): Promise<void> {
  await callNowOrLater('calendar.create', {
    ...fieldsOf(values),
    ...(values.reminder !== '' && { reminders: [readReminder(values.reminder)] }),
    calendar_id,
    timezone,
  });
}
