import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, addMonths, type Day, monthGrid, msOf, startOfWeek } from '../../calendar/views/days.ts';
import { firstDayOfWeek } from '../../calendar/views/week-info.ts';
import { IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { LOCALE } from './time.ts';

const inUtc = { timeZone: 'UTC' } as const;
const month = new Intl.DateTimeFormat(LOCALE, { ...inUtc, month: 'long', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(LOCALE, { ...inUtc, weekday: 'narrow' });
const longWeekday = new Intl.DateTimeFormat(LOCALE, { ...inUtc, weekday: 'long' });
const whole = new Intl.DateTimeFormat(LOCALE, { ...inUtc, dateStyle: 'full' });

/**
 * Chooses a day of a month. The arrow keys move by days and weeks, Home and End within the week, Page Up and Page Down by months, with
 * Shift by years.
 */
export function MonthGrid({
  value,
  today,
  min,
  max,
  onChoose,
}: {
  value: Day | '';
  today: Day;
  min: Day;
  max: Day;
  onChoose(day: Day): void;
}) {
  const within = (day: Day) => (day < min ? min : day > max ? max : day);
  const [active, setActive] = useState(() => within(value || today));
  const grid = useRef<HTMLTableElement>(null);
  /** Whether a key moved the active day, which then takes the focus. */
  const takesFocus = useRef(false);
  useEffect(() => {
    if (takesFocus.current) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
    takesFocus.current = false;
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const start = startOfWeek(active, firstDayOfWeek);
    const months = event.shiftKey ? 12 : 1;
    const next = {
      ArrowLeft: () => addDays(active, -1),
      ArrowRight: () => addDays(active, 1),
      ArrowUp: () => addDays(active, -7),
      ArrowDown: () => addDays(active, 7),
      Home: () => start,
      End: () => addDays(start, 6),
      PageUp: () => addMonths(active, -months),
      PageDown: () => addMonths(active, months),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    takesFocus.current = true;
    setActive(within(next()));
  };
  const days = monthGrid(active, firstDayOfWeek);
  const weeks = [0, 7, 14, 21, 28, 35].map((at) => days.slice(at, at + 7));
  const step = (label: string, by: number, Icon: typeof ChevronLeft) => (
    <IconButton
      icon={Icon}
      label={label}
      disabled={within(addMonths(active, by)) === active}
      onClick={() => setActive(within(addMonths(active, by)))}
    />
  );
  return (
    <>
      <div className="mb-2 flex items-center justify-between">
        {step('Previous month', -1, ChevronLeft)}
        <span aria-live="polite" className="font-medium">
          {month.format(msOf(active))}
        </span>
        {step('Next month', 1, ChevronRight)}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days, as in the ARIA patterns */}
      <table ref={grid} role="grid" aria-label={month.format(msOf(active))} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th
                key={day}
                scope="col"
                abbr={longWeekday.format(msOf(day))}
                className="p-1 text-xs font-medium text-muted"
              >
                {weekday.format(msOf(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === active ? 0 : -1}
                    aria-label={whole.format(msOf(day))}
                    aria-pressed={day === value}
                    disabled={within(day) !== day}
                    {...(day === today && { 'aria-current': 'date' })}
                    onClick={() => onChoose(day)}
                    className={classNames(
                      'size-9 rounded-md tabular-nums disabled:opacity-40 max-md:size-11 pointer-coarse:size-11',
                      day === value
                        ? 'bg-accent-solid font-semibold text-on-accent forced-colors:outline'
                        : 'hover:bg-hover',
                      day !== value &&
                        (day === today
                          ? 'font-semibold text-accent'
                          : day.slice(0, 7) !== active.slice(0, 7) &&
                            'text-muted forced-colors:text-[GrayText]'),
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
