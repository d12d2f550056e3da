import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { type Day, dayOf } from '../../calendar/views/days.ts';
import { wallClockMs } from '../../calendar/wall-clock.ts';
import { useTimeZone } from '../../session/account.ts';
import { classNames } from '../class-names.ts';
import { control, type Described, Field, useField } from '../fields/field.tsx';
import { formatDate, parseDay } from './day-text.ts';
import { MonthGrid } from './month-grid.tsx';
import { useTyped } from './use-typed.ts';

/** A day, typed in the person's own way or chosen from a month. Its value is `2026-11-28`, or empty. */
export function DayField({
  value,
  min = '0001-01-01',
  max = '9999-12-31',
  onDay,
  ...props
}: Described & {
  className?: string;
  required?: boolean;
  value: Day | '';
  min?: Day;
  max?: Day;
  onDay(day: Day | ''): void;
}) {
  const zone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const today = dayOf(wallClockMs(Date.now(), zone));
  const parse = (text: string) => parseDay(text, today, navigator.language);
  const typed = useTyped({
    shown: value && formatDate(value),
    read(text) {
      const day = parse(text);
      return day !== null && day >= min && day <= max ? day : null;
    },
    // While a year is typed, `20` is not 2020.
    isWhole: (text) => /\d{4}/.test(text),
    onRead: onDay,
    problem(text) {
      const day = parse(text);
      if (day === null) return `Enter a date, such as ${formatDate(today)}.`;
      return day < min ? `Choose ${formatDate(min)} or later.` : `Choose ${formatDate(max)} or earlier.`;
    },
  });
  const { frame, described, rest } = useField({ ...props, error: typed.error ?? props.error });
  return (
    <Field {...frame}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Anchor className="relative">
          <input className={classNames(control, 'h-9 pr-10')} {...described} {...rest} {...typed.input} />
          <Popover.Trigger
            aria-label="Choose a day"
            className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-muted hover:text-text"
          >
            <CalendarDays size={16} aria-hidden="true" />
          </Popover.Trigger>
        </Popover.Anchor>
        <Popover.Portal>
          <Popover.Content
            aria-label="Choose a day"
            align="end"
            sideOffset={4}
            collisionPadding={8}
            onOpenAutoFocus={focusDay}
            className="z-50 rounded-lg border border-line bg-raised p-3 shadow-xl"
          >
            <MonthGrid
              value={value}
              today={today}
              min={min}
              max={max}
              onChoose={(day) => {
                setOpen(false);
                typed.clear();
                onDay(day);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}

/** The popover's focus begins on the chosen day. */
function focusDay(event: Event): void {
  event.preventDefault();
  (event.target as HTMLElement).querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus();
}
