import type { Calendar } from '@firmdesk/contract';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { isWritable } from '../calendars/calendars.ts';

/** The calendar of a new event: one in which the person can change events. */
export function CalendarField({
  calendars,
  value,
  onChange,
}: {
  calendars: readonly Calendar[];
  value: number;
  onChange(id: number): void;
}) {
  return (
    <SelectField
      label="Calendar"
      value={value}
      choices={named(calendars.filter(isWritable))}
      onValue={onChange}
    />
  );
}
