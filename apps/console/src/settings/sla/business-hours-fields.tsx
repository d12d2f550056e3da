import { weekdays } from '@firmdesk/contract';
import { TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { ZoneField } from '../../ui/time/zone-field.tsx';
import type { SlaFields } from './sla-values.ts';

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
          <div className="grid gap-3 sm:grid-cols-2">
            {weekdays.map((day) => (
              <TextField
                key={day}
                label={`${day.charAt(0).toUpperCase()}${day.slice(1)}`}
                placeholder="Closed"
                value={values.week[day] ?? ''}
                disabled={isDisabled}
                error={problems[day]}
                onChange={({ target }) => onChange({ week: { [day]: target.value } })}
              />
            ))}
          </div>
          <TextAreaField
            label="Holidays"
            rows={3}
            className="sm:max-w-72"
            hint="Days without business hours, such as 2026-12-25. One in each line."
            value={values.holidays}
            disabled={isDisabled}
            error={problems['holidays']}
            onChange={({ target }) => onChange({ holidays: target.value })}
          />
        </>
      )}
    </section>
  );
}
