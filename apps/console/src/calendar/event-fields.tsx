import { useState } from 'react';
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { fieldError } from '../ui/field-errors.ts';
import { describeRecurrence, upperFirst } from './describe-recurrence.ts';
import { type EventValues, movedStart, withAllDay } from './event-form.ts';

/** The paths whose errors are shown at an input. */
export const shownFields = [
  'title',
  'starts_at',
  'ends_at',
  'recurrence_rule',
  'location',
  'conference.url',
  'description',
];

const commonRules = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY',
  'FREQ=MONTHLY',
  'FREQ=YEARLY',
];
const CUSTOM_RULE = 'custom';

export function EventFields({
  values,
  onChange,
  error,
  isOneOfSeries,
}: {
  values: EventValues;
  onChange(values: EventValues): void;
  error: unknown;
  /** Whether one occurrence is edited, which has no rule or conference of its own. */
  isOneOfSeries: boolean;
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
          onChange={({ target }) => onChange(withAllDay(values, target.checked))}
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
          error={fieldError(error, 'recurrence_rule', 'The recurrence rule')}
          onChange={(recurrence_rule) => set({ recurrence_rule })}
        />
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
      <TextField
        label={label}
        type="date"
        required
        className="flex-1"
        value={day}
        error={error}
        onChange={({ target }) => onDay(target.value)}
      />
      {time !== null && (
        <TextField
          label={`${label} at`}
          type="time"
          required
          className="w-34"
          value={time}
          onChange={({ target }) => onTime(target.value)}
        />
      )}
    </div>
  );
}

/** The inputs for the recurrence rule: a common rule or a custom one (RFC 5545). */
function RuleField({
  rule,
  error,
  onChange,
}: {
  rule: string;
  error: string | undefined;
  onChange(rule: string): void;
}) {
  // Kept while the rule is typed: it may be equal to a common one in between.
  const [isCustom, setIsCustom] = useState(rule !== '' && !commonRules.includes(rule));
  const description = describeRecurrence(rule);
  return (
    <>
      <SelectField
        label="Repeats"
        value={isCustom ? CUSTOM_RULE : rule}
        onChange={({ target }) => {
          setIsCustom(target.value === CUSTOM_RULE);
          onChange(target.value === CUSTOM_RULE ? 'FREQ=WEEKLY;INTERVAL=2' : target.value);
        }}
      >
        <option value="">Never</option>
        {commonRules.map((each) => (
          <option key={each} value={each}>
            {each.includes('MO,TU,WE,TH,FR') ? 'Every weekday' : upperFirst(describeRecurrence(each))}
          </option>
        ))}
        <option value={CUSTOM_RULE}>Custom…</option>
      </SelectField>
      {isCustom && (
        <TextField
          label="Recurrence rule"
          spellCheck={false}
          autoCapitalize="characters"
          hint={upperFirst(description) ?? 'An RFC 5545 rule, for example FREQ=WEEKLY;BYDAY=MO'}
          value={rule}
          error={error}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </>
  );
}
