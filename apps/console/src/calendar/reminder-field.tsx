import type { CalendarEvent } from '@firmdesk/contract';
import { outbox } from '../outbox/outbox.ts';
import { SelectField } from '../ui/field.tsx';
import { formatReminder } from './event-format.ts';

/** Minutes before the start. */
const choices = [0, 10, 30, 60, 1_440];
const NONE = 'none';
const OTHER = 'other';

/** The caller's reminder of an event, pushed to their devices. Each viewer of an event has their own. */
export function ReminderField({ event: { id, reminders } }: { event: CalendarEvent }) {
  const [first] = reminders;
  const isListed =
    reminders.length === 1 && first?.channel === 'push' && choices.includes(first.minutes_before);
  const value = !first ? NONE : isListed ? String(first.minutes_before) : OTHER;
  const set = (chosen: string) =>
    outbox().add({
      kind: 'call',
      procedure: 'calendar.remind',
      input: {
        id,
        reminders: chosen === NONE ? [] : [{ minutes_before: Number(chosen), channel: 'push' }],
      },
    });
  return (
    <SelectField label="Remind me" isLabelHidden value={value} onChange={({ target }) => set(target.value)}>
      <option value={NONE}>No reminder</option>
      {choices.map((minutes) => (
        <option key={minutes} value={minutes}>
          Remind me {formatReminder(minutes)}
        </option>
      ))}
      {value === OTHER && (
        <option value={OTHER} disabled>
          {reminders
            .map(({ minutes_before, channel }) => `${formatReminder(minutes_before)}, ${channel}`)
            .join('; ')}
        </option>
      )}
    </SelectField>
  );
}
