import type { CalendarEvent } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { SelectField } from '../ui/field.tsx';
import { formatReminder } from './event-format.ts';

/** Minutes before. */
const choices = [0, 10, 30, 60, 1_440];
const NONE = 'none';
const OTHER = 'other';

/** One's own reminder of an event, told to one's phones; who else sees the event has their own. */
export function ReminderField({ event: { id, reminders } }: { event: CalendarEvent }) {
  const queries = useQueryClient();
  const remind = useMutation(
    trpc.calendar.remind.mutationOptions({
      onError: (error) => reportError(error, 'The reminder stays as it was'),
      onSettled: () => queries.invalidateQueries(trpc.calendar.list.pathFilter()),
    }),
  );
  // Until the calendar is loaded anew: what was chosen.
  const now = remind.isPending ? remind.variables.reminders : reminders;
  const [first] = now;
  const isUsual = now.length === 1 && first?.channel === 'push' && choices.includes(first.minutes_before);
  const value = !first ? NONE : isUsual ? String(first.minutes_before) : OTHER;
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
          {now
            .map(({ minutes_before, channel }) => `${formatReminder(minutes_before)}, ${channel}`)
            .join('; ')}
        </option>
      )}
    </SelectField>
  );
}
