import { TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError } from '../../ui/fields/field-errors.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { DayField } from '../../ui/time/day-field.tsx';
import { TimeField } from '../../ui/time/time-field.tsx';
import { RuleField } from '../recurrence/rule-field.tsx';
import { type EventValues, movedStart, withAllDay } from './event-form.ts';
import { GuestTimes } from './guest-times.tsx';
import { GuestsField } from './guests-field.tsx';
import { reminderChoices } from './reminders.ts';

/** The paths whose errors are shown at an input. */
export const shownFields = [
  'title',
  'starts_at',
  'ends_at',
  'recurrence_rule',
  'location',
  'conference.url',
  'description',
  'attendees',
];

export function EventFields({
  values,
  onChange,
  error,
  isNew,
  isOneOfSeries,
  zone,
  eventId,
}: {
  values: EventValues;
  onChange(values: EventValues): void;
  error: unknown;
  isNew: boolean;
  /** Whether one occurrence is edited, which has no rule, guests or conference of its own. */
  isOneOfSeries: boolean;
  /** In which the times are. */
  zone: string;
  /** The event that is edited; null for one that is not saved. */
  eventId: number | null;
}) {
  const set = (change: Partial<EventValues>) => onChange({ ...values, ...change });
  return (
    <>
      <TextField
        label="Title"
        required
        data-initial-focus
        value={values.title}
        error={fieldError(error, 'title', 'The title')}
        onChange={({ target }) => set({ title: target.value })}
      />
      <label className="flex min-h-6 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent-solid"
          checked={values.all_day}
          onChange={({ target }) => onChange(withAllDay(values, target.checked, zone))}
        />
        All day
      </label>
      <div className="grid gap-4 sm:grid-cols-2">
        <DateTimeField
          label={values.all_day ? 'First day' : 'Starts'}
          day={values.start_day}
          time={values.all_day ? null : values.start_time}
          error={fieldError(error, 'starts_at', 'The start')}
          onDay={(start_day) => onChange(movedStart(values, { start_day }))}
          onTime={(start_time) => onChange(movedStart(values, { start_time }))}
        />
        <DateTimeField
          label={values.all_day ? 'Last day' : 'Ends'}
          day={values.end_day}
          time={values.all_day ? null : values.end_time}
          error={fieldError(error, 'ends_at', 'The end')}
          onDay={(end_day) => set({ end_day })}
          onTime={(end_time) => set({ end_time })}
        />
      </div>
      {!isOneOfSeries && (
        <RuleField
          rule={values.recurrence_rule}
          start={{ day: values.start_day, allDay: values.all_day, zone }}
          error={fieldError(error, 'recurrence_rule', 'The recurrence rule')}
          onChange={(recurrence_rule) => set({ recurrence_rule })}
        />
      )}
      {!isOneOfSeries && (
        <>
          <GuestsField
            guests={values.guests}
            error={fieldError(error, 'attendees', 'The guests')}
            onChange={(guests) => set({ guests })}
          />
          <GuestTimes values={values} zone={zone} eventId={eventId} onChange={onChange} />
        </>
      )}
      <TextField
        label="Location"
        value={values.location}
        error={fieldError(error, 'location', 'The location')}
        onChange={({ target }) => set({ location: target.value })}
      />
      {!isOneOfSeries && (
        <TextField
          label="Conference URL"
          type="url"
          placeholder="https://"
          value={values.conference_url}
          error={fieldError(error, 'conference.url', 'The URL')}
          onChange={({ target }) => set({ conference_url: target.value })}
        />
      )}
      {isNew && (
        <SelectField
          label="Reminder"
          value={values.reminder}
          choices={[['', 'No reminder'], ...reminderChoices]}
          onValue={(value) => set({ reminder: value })}
        />
      )}
      <TextAreaField
        label="Description"
        rows={3}
        value={values.description}
        error={fieldError(error, 'description', 'The description')}
        onChange={({ target }) => set({ description: target.value })}
      />
    </>
  );
}

function DateTimeField({
  label,
  day,
  time,
  error,
  onDay,
  onTime,
}: {
  label: string;
  day: string;
  time: string | null;
  error: string | undefined;
  onDay(day: string): void;
  onTime(time: string): void;
}) {
  return (
    <div className="flex items-start gap-2">
      <DayField label={label} required className="flex-1" value={day} error={error} onDay={onDay} />
      {time !== null && (
        <TimeField label={`${label} at`} required className="w-24" value={time} onTime={onTime} />
      )}
    </div>
  );
}
