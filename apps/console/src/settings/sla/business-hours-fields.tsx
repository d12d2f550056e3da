import { MAX_HOLIDAYS, MAX_INTERVALS_PER_DAY, weekdays } from '@firmdesk/contract';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { DayField } from '../../ui/time/day-field.tsx';
import { TimeField } from '../../ui/time/time-field.tsx';
import { ZoneField } from '../../ui/time/zone-field.tsx';
import { OFFICE_HOURS, type OpenInterval, type SlaFields } from './sla-values.ts';

/** The end of a day, which people write as the midnight that it is. */
const DAY_END = '24:00';
const MIDNIGHT = '00:00';

/** Whether targets count only business hours, and which these are. */
export function BusinessHoursFields({ values, problems, isDisabled, onChange }: SlaFields) {
  return (
    <section aria-label="Business hours" className="space-y-4 rounded-lg border border-line bg-surface p-4">
      <Switch
        label="Business hours"
        hint="When off, targets count every hour of the week."
        isOn={values.hasHours}
        isDisabled={isDisabled}
        onChange={(hasHours) => onChange({ hasHours })}
      />
      {values.hasHours && (
        <>
          <ZoneField
            label="Time zone"
            className="sm:max-w-72"
            value={values.timezone}
            disabled={isDisabled}
            onChange={(timezone) => onChange({ timezone })}
          />
          <div className="space-y-2">
            {weekdays.map((day) => (
              <DayHours
                key={day}
                name={`${day.charAt(0).toUpperCase()}${day.slice(1)}`}
                intervals={values.week[day] ?? []}
                error={problems[day]}
                isDisabled={isDisabled}
                onChange={(intervals) => onChange({ week: { [day]: intervals } })}
              />
            ))}
          </div>
          <Holidays
            days={values.holidays}
            isDisabled={isDisabled}
            onChange={(holidays) => onChange({ holidays })}
          />
        </>
      )}
    </section>
  );
}

/** The hours of a weekday: none, or from one time to another, several times. */
function DayHours({
  name,
  intervals,
  error,
  isDisabled,
  onChange,
}: {
  name: string;
  intervals: readonly OpenInterval[];
  error: string | undefined;
  isDisabled: boolean;
  onChange(intervals: OpenInterval[]): void;
}) {
  const set = (index: number, change: Partial<OpenInterval>) =>
    onChange(intervals.map((each, i) => (i === index ? { ...each, ...change } : each)));
  return (
    <fieldset className="flex flex-wrap items-start gap-x-3 gap-y-1" disabled={isDisabled}>
      <legend className="sr-only">{name}</legend>
      <span aria-hidden="true" className="w-24 py-2 font-medium">
        {name}
      </span>
      <div className="min-w-0 space-y-1">
        {intervals.length === 0 && <p className="py-2 text-muted">Closed</p>}
        {intervals.map(({ from, to }, i) => (
          <div key={i} className="flex items-start gap-1.5">
            <TimeField
              label={`${name}: opens${i === 0 ? '' : ` (${i + 1})`}`}
              isLabelHidden
              className="w-24"
              value={from}
              error={i === 0 ? error : undefined}
              onTime={(time) => set(i, { from: time })}
            />
            <span aria-hidden="true" className="py-2 text-muted">
              –
            </span>
            <TimeField
              label={`${name}: closes${i === 0 ? '' : ` (${i + 1})`}`}
              isLabelHidden
              className="w-24"
              value={to === DAY_END ? MIDNIGHT : to}
              onTime={(time) => set(i, { to: time === MIDNIGHT ? DAY_END : time })}
            />
            <IconButton
              icon={X}
              label={`Remove hours of ${name}${i === 0 ? '' : ` (${i + 1})`}`}
              className="size-9"
              onClick={() => onChange(intervals.filter((_, at) => at !== i))}
            />
          </div>
        ))}
      </div>
      {intervals.length < MAX_INTERVALS_PER_DAY && (
        <IconButton
          icon={Plus}
          label={`Add hours on ${name}`}
          className="size-9"
          onClick={() =>
            onChange([...intervals, intervals.length === 0 ? OFFICE_HOURS : { from: '', to: '' }])
          }
        />
      )}
    </fieldset>
  );
}

function Holidays({
  days,
  isDisabled,
  onChange,
}: {
  days: readonly string[];
  isDisabled: boolean;
  onChange(days: string[]): void;
}) {
  return (
    <fieldset className="space-y-2" disabled={isDisabled}>
      <legend className="font-medium">Holidays</legend>
      <p className="text-muted">Days without business hours.</p>
      {days.map((day, i) => (
        <div key={i} className="flex items-start gap-1.5">
          <DayField
            label={`Holiday ${i + 1}`}
            isLabelHidden
            className="w-48"
            value={day}
            onDay={(next) => onChange(days.map((each, at) => (at === i ? next : each)))}
          />
          <IconButton
            icon={X}
            label={`Remove holiday ${i + 1}`}
            className="size-9"
            onClick={() => onChange(days.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {days.length < MAX_HOLIDAYS && (
        <Button onClick={() => onChange([...days, ''])}>
          <Plus size={16} aria-hidden="true" />
          Add a holiday
        </Button>
      )}
    </fieldset>
  );
}
