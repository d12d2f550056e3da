import type { SetRemindersInput } from '@firmdesk/contract';
import { formatReminder } from './event-format.ts';

type Reminder = SetRemindersInput['reminders'][number];

/** Minutes before the start. */
const MINUTES = [0, 10, 30, 60, 1_440];

/** The reminders that can be chosen: on the account's devices, or by mail. */
export const reminderChoices = (['push', 'email'] as const).flatMap((channel) =>
  MINUTES.map(
    (minutes_before) =>
      [
        `${channel} ${minutes_before}`,
        `Remind me ${formatReminder(minutes_before)}${channel === 'email' ? ' by mail' : ''}`,
      ] as const,
  ),
);

/** Returns the reminder of a choice. */
export function readReminder(value: string): Reminder {
  const [channel, minutes] = value.split(' ');
  return { channel: channel === 'email' ? 'email' : 'push', minutes_before: Number(minutes) };
}
