import type { CalendarEvent } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { SelectField } from '../ui/field.tsx';
import { formatReminder } from './event-format.ts';

/** Minutes before the start. */
const choices = [0, 10, 30, 60, 1_440];
const NONE = 'none';
const OTHER = 'other';

/** The caller's reminder of an event, pushed to their devices. Each viewer of an event has their own. */
export function ReminderField({ event: { id, reminders } }: { event: CalendarEvent }) {
  const queries = useQueryClient();
  const remind = useMutation(
    trpc.calendar.remind.mutationOptions({
      onError: (error) => reportError(error, 'Couldn’t change the reminder'),
      onSettled: () => queries.invalidateQueries(trpc.calendar.list.pathFilter()),
    }),
  );
  // Shows the new choice until the calendar is refetched.
  const shown = remind.isPending ? remind.variables.reminders : reminders;
  const [first] = shown;
  const isListed = shown.length === 1 && first?.channel === 'push' && choices.includes(first.minutes_before);
  const value = !first ? NONE : isListed ? String(first.minutes_before) : OTHER;
  const set = (chosen: string) =>
    remind.mutate({
      id,
      reminders: chosen === NONE ? [] : [{ minutes_before: Number(chosen), channel: 'push' }],
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
          {shown
            .map(({ minutes_before, channel }) => `${formatReminder(minutes_before)}, ${channel}`)
            .join('; ')}
        </option>
      )}
    </SelectField>
  );
}
