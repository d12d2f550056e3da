import { useState } from 'react';
import { TextField } from '../../ui/fields/field.tsx';
import { labelled, SelectField } from '../../ui/fields/select-field.tsx';
import { DayField } from '../../ui/time/day-field.tsx';
import { LOCALE } from '../../ui/time/time.ts';
import { describeRecurrence, upperFirst } from './describe-recurrence.ts';
import {
  type BuiltRule,
  dateOf,
  newRule,
  nthWeekday,
  type RuleEnd,
  type RuleStart,
  readRule,
  ruleUnits,
  weekdays,
  writeRule,
} from './rule-builder.ts';

const commonRules = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY',
  'FREQ=MONTHLY',
  'FREQ=YEARLY',
];
const CUSTOM = 'custom';
/** A rule from another program that has more than the fields can show. */
const OTHER = 'other';
const MAX_NUMBER = 999;

const dayName = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' });

/** The inputs for how an event repeats: a common way, or one that is put together in words. */
export function RuleField({
  rule,
  start,
  error,
  onChange,
}: {
  rule: string;
  start: RuleStart;
  error: string | undefined;
  onChange(rule: string): void;
}) {
  // Kept while the fields are changed: the rule may be equal to a common one in between.
  const [isCustom, setCustom] = useState(rule !== '' && !commonRules.includes(rule));
  const built = isCustom ? readRule(rule, start) : null;
  const isOther = isCustom && built === null;
  const choose = (choice: string) => {
    if (choice === OTHER) return;
    setCustom(choice === CUSTOM);
    onChange(choice === CUSTOM ? writeRule(readRule(rule, start) ?? newRule(start), start) : choice);
  };
  return (
    <>
      <SelectField
        label="Repeats"
        value={isOther ? OTHER : isCustom ? CUSTOM : rule}
        choices={[
          ['', 'Never'],
          ...commonRules.map(
            (each) =>
              [
                each,
                each.includes('MO,TU,WE,TH,FR') ? 'Every weekday' : upperFirst(describeRecurrence(each)),
              ] as const,
          ),
          [CUSTOM, 'Custom…'],
          ...(isOther ? [[OTHER, 'In its own way'] as const] : []),
        ]}
        onValue={choose}
      />
      {built && (
        <BuilderFields rule={built} start={start} onChange={(next) => onChange(writeRule(next, start))} />
      )}
      {isOther && (
        <p className="text-muted">
          {upperFirst(describeRecurrence(rule)) ?? 'It repeats in a way that these fields can’t show'}. It
          stays so unless you choose another way.
        </p>
      )}
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
    </>
  );
}

function BuilderFields({
  rule,
  start,
  onChange,
}: {
  rule: BuiltRule;
  start: RuleStart;
  onChange(rule: BuiltRule): void;
}) {
  const { unit, interval, days, monthlyBy, end } = rule;
  const set = (change: Partial<BuiltRule>) => onChange({ ...rule, ...change });
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="sr-only">How it repeats</legend>
      <div className="grid grid-cols-2 gap-3">
        <NumberField label="Every" value={interval} onChange={(interval) => set({ interval })} />
        <SelectField
          label="Unit"
          value={unit}
          choices={labelled(ruleUnits).map(([each, name]) => [each, interval === 1 ? name : `${name}s`])}
          onValue={(unit) => set({ unit })}
        />
      </div>
      {unit === 'WEEKLY' && (
        <fieldset>
          <legend className="mb-1 font-medium">On</legend>
          <div className="flex flex-wrap gap-1">
            {weekdays.map((day, at) => {
              // 1 January 2024 was a Monday.
              const name = dayName.format(Date.UTC(2024, 0, 1 + at));
              return (
                <label
                  key={day}
                  className="relative flex size-9 cursor-pointer items-center justify-center rounded-full border border-line-strong has-checked:border-accent-solid has-checked:bg-accent-solid has-checked:text-on-accent has-focus-visible:outline-2 pointer-coarse:size-11"
                >
                  <input
                    type="checkbox"
                    aria-label={name}
                    className="absolute inset-0 cursor-pointer opacity-0"
                    checked={days.includes(day)}
                    onChange={({ target }) =>
                      set({ days: target.checked ? [...days, day] : days.filter((each) => each !== day) })
                    }
                  />
                  <span aria-hidden="true">{name.slice(0, 2)}</span>
                </label>
              );
            })}
          </div>
        </fieldset>
      )}
      {unit === 'MONTHLY' && (
        <SelectField
          label="On"
          value={monthlyBy}
          choices={[
            ['day', `Day ${dateOf(start.day)}`],
            [
              'weekday',
              upperFirst(
                describeRecurrence(`FREQ=MONTHLY;BYDAY=${nthWeekday(start.day)}`)!.replace(
                  'every month on ',
                  '',
                ),
              ),
            ],
          ]}
          onValue={(monthlyBy) => set({ monthlyBy })}
        />
      )}
      <EndFields end={end} start={start} onChange={(end) => set({ end })} />
    </fieldset>
  );
}

const ends: Record<RuleEnd['kind'], string> = {
  never: 'Never',
  until: 'On a date',
  count: 'After a number of times',
};

function EndFields({
  end,
  start,
  onChange,
}: {
  end: RuleEnd;
  start: RuleStart;
  onChange(end: RuleEnd): void;
}) {
  const choose = (kind: RuleEnd['kind']) => {
    if (kind === 'never') onChange({ kind });
    else onChange(kind === 'until' ? { kind, day: start.day } : { kind, count: 10 });
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField label="Ends" value={end.kind} choices={labelled(ends)} onValue={choose} />
      {end.kind === 'until' && (
        <DayField
          label="Until"
          required
          min={start.day}
          value={end.day}
          onDay={(day) => day && onChange({ kind: 'until', day })}
        />
      )}
      {end.kind === 'count' && (
        <NumberField
          label="Times"
          value={end.count}
          onChange={(count) => onChange({ kind: 'count', count })}
        />
      )}
    </div>
  );
}

/** A whole number from 1 on. While the input is empty, the last number counts. */
function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange(value: number): void;
}) {
  const [text, setText] = useState(String(value));
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={1}
      max={MAX_NUMBER}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const number = Number(target.value);
        if (Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER) onChange(number);
      }}
      onBlur={() => setText(String(value))}
    />
  );
}
