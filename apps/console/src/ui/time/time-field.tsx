import type { ComponentProps, KeyboardEvent } from 'react';
import type { Day } from '../../calendar/views/days.ts';
import { classNames } from '../class-names.ts';
import { type Described, TextField } from '../fields/field.tsx';
import { DayField } from './day-field.tsx';
import { parseTime } from './day-text.ts';
import { useTyped } from './use-typed.ts';

const DAY_MINUTES = 1440;
const STEP_MINUTES = 15;
/** The time of a day that is chosen without one. */
const MORNING = '09:00';

/** A time of day, typed or moved by a quarter of an hour with the arrow keys. Its value is `14:30`, or empty. */
export function TimeField({
  value,
  error,
  onTime,
  ...props
}: ComponentProps<typeof TextField> & { value: string; onTime(time: string): void }) {
  const typed = useTyped({
    shown: value,
    read: parseTime,
    isWhole: (text) => /^\d\d:\d\d$/.test(text),
    onRead: onTime,
    problem: () => 'Enter a time, such as 14:30.',
  });
  const minutes = Number(value.slice(0, 2)) * 60 + Number(value.slice(3));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return typed.input.onKeyDown(event);
    event.preventDefault();
    const next = Math.floor(minutes / STEP_MINUTES + (step < 0 && minutes % STEP_MINUTES ? 0 : step));
    const at = (next * STEP_MINUTES + DAY_MINUTES) % DAY_MINUTES;
    typed.clear();
    onTime(`${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`);
  };
  return (
    <TextField
      {...props}
      error={typed.error ?? error}
      role="spinbutton"
      aria-valuenow={minutes}
      aria-valuetext={value || 'No time'}
      {...typed.input}
      onKeyDown={onKeyDown}
    />
  );
}

/** A day and a time of day in a time zone. Its value is `2026-11-28T14:30`, or empty. */
export function MomentField({
  label,
  zone,
  value,
  min,
  error,
  className,
  onMoment,
}: Pick<Described, 'label' | 'error'> & {
  zone: string;
  className?: string;
  value: string;
  min?: Day;
  onMoment(moment: string): void;
}) {
  const [day, time = ''] = value.split('T') as [string, string?];
  return (
    <div className={classNames('flex items-start gap-2', className)}>
      <DayField
        label={label}
        className="min-w-0 flex-1"
        hint={`Time zone: ${zone}`}
        error={error}
        value={day}
        {...(min !== undefined && { min })}
        onDay={(next) => onMoment(next && `${next}T${time || MORNING}`)}
      />
      <TimeField
        label="Time"
        aria-label={`${label}: time`}
        className="w-24 shrink-0"
        value={time}
        disabled={day === ''}
        onTime={(next) => next && onMoment(`${day}T${next}`)}
      />
    </div>
  );
}
