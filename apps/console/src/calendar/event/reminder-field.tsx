import type { CalendarEvent } from '@firmdesk/contract';
import { outbox } from '../../outbox/outbox.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { formatReminder } from './event-format.ts';
import { readReminder, reminderChoices } from './reminders.ts';

const NONE = 'none';
const OTHER = 'other';

/** The caller's reminder of an event, on their devices or by mail. Each viewer of an event has their own. */
export function ReminderField({ event: { id, reminders } }: { event: CalendarEvent }) {
  const [first] = reminders;
  const chosen = `${first?.channel} ${first?.minutes_before}`;
  const isListed = reminders.length === 1 && reminderChoices.some(([value]) => value === chosen);
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
  const all = reminders.map(({ minutes_before, channel }) => `${formatReminder(minutes_before)}, ${channel}`);
  return (
    <SelectField
      label="Remind me"
      isLabelHidden
      value={value}
      choices={[
        [NONE, 'No reminder'],
        ...reminderChoices,
        ...(value === OTHER ? [[OTHER, all.join('; '), true] as const] : []),
      ]}
      onValue={set}
    />
  );
}
