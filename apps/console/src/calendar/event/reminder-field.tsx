import type { CalendarEvent } from '@firmdesk/contract';
import { outbox } from '../../outbox/outbox.ts';
import { Choice, SelectField } from '../../ui/fields/select-field.tsx';
import { formatReminder } from './event-format.ts';
import { readReminder, reminderChoices } from './reminders.ts';

const NONE = 'none';
const OTHER = 'other';

/** The caller's reminder of an event, on their devices or by mail. Each viewer of an event has their own. */
export function ReminderField({ event: { id, reminders } }: { event: CalendarEvent }) {
  const [first] = reminders;
  const chosen = `${first?.channel} ${first?.minutes_before}`;
  const isListed = reminders.length === 1 && reminderChoices.some(({ value }) => value === chosen);
  const value = !first ? NONE : isListed ? chosen : OTHER;
  const set = (choice: string) =>
    outbox().add({
      kind: 'call',
      procedure: 'calendar.remind',
      input: {
        id,
        reminders: choice === NONE ? [] : [readReminder(choice)],
      },
    });
  return (
    <SelectField label="Remind me" isLabelHidden value={value} onValue={set}>
      <Choice value={NONE}>No reminder</Choice>
      {reminderChoices.map(({ value, label }) => (
        <Choice key={value} value={value}>
          {label}
        </Choice>
      ))}
      {value === OTHER && (
        <Choice value={OTHER} isDisabled>
          {reminders
            .map(({ minutes_before, channel }) => `${formatReminder(minutes_before)}, ${channel}`)
            .join('; ')}
        </Choice>
      )}
    </SelectField>
  );
}
