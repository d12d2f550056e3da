import type { CalendarEvent } from '@firmdesk/contract';
import { type MouseEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useAccount } from '../session/account.ts';
import { classNames } from '../ui/class-names.ts';
import { currentMinute, followMinutes } from '../ui/current-minute.ts';
import { LOCALE } from '../ui/time.ts';
import { keyOf } from './calendars.ts';
import { DAY_MS, type Day, msOf } from './days.ts';
import { EventChip } from './event-chip.tsx';
import { DAY_MINUTES, layoutDay, layoutLanes, type Span } from './layout.ts';
import { wallClockMs } from './wall-clock.ts';

const HOUR_PX = 48;
const FIRST_VISIBLE_HOUR = 7;
const LANE_PX = 26;
/** Half the height of an hour's label and some space, so that the first one is whole. */
const LABEL_PX = 12;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

const dayLabel = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
const dayInFull = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const hourLabel = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

export interface ViewProps {
  days: Day[];
  day: Day;
  today: Day;
  spans: Span<CalendarEvent>[];
  byId: Map<number, { hue: number }>;
  onEdit(event: CalendarEvent): void;
  onCreate(at: { day: Day; minute: number }): void;
}

/** The hours of a day or of seven days, with whole-day events above them. */
export function WeekView({ days, today, spans, byId, onEdit, onCreate }: ViewProps) {
  const scroller = useRef<HTMLElement>(null);
  const todayAt = days.indexOf(today);
  useLayoutEffect(() => {
    const left = (Math.max(0, todayAt) / days.length) * (scroller.current?.scrollWidth ?? 0);
    scroller.current?.scrollTo({ top: FIRST_VISIBLE_HOUR * HOUR_PX - LABEL_PX, left });
  }, [todayAt, days.length]);
  const whole = layoutLanes(
    spans.filter(({ isWholeDays }) => isWholeDays),
    days[0]!,
    days.length,
  );
  const lanes = Math.max(0, ...whole.map(({ lane }) => lane + 1));
  const columns = { gridTemplateColumns: `3.5rem repeat(${days.length}, minmax(0, 1fr))` };
  const chip = (event: CalendarEvent) => ({ event, hue: byId.get(event.calendar_id)?.hue ?? 0, onEdit });
  return (
    <section
      ref={scroller}
      aria-label={days.length === 1 ? 'Day' : 'Week'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="h-full min-w-0 overflow-auto bg-surface outline-offset-[-2px]"
    >
      <div className={days.length > 1 ? 'min-w-[46rem]' : undefined}>
        <div className="sticky top-0 z-20 border-b border-line bg-surface">
          <div className="grid" style={columns}>
            <span className="sticky left-0 z-10 bg-surface" />
            {days.map((day) => (
              <h3
                key={day}
                aria-current={day === today ? 'date' : undefined}
                className={classNames(
                  'border-l border-line px-2 py-1.5 text-center text-muted',
                  day === today && 'font-semibold !text-accent',
                )}
              >
                <span aria-hidden="true">{dayLabel.format(msOf(day))}</span>
                <span className="sr-only">
                  {dayInFull.format(msOf(day))}
                  {day === today && ', today'}
                </span>
              </h3>
            ))}
          </div>
          {lanes > 0 && (
            <div className="grid grid-cols-[3.5rem_1fr] border-t border-line">
              <span className="sticky left-0 z-10 bg-surface px-1.5 py-1 text-right text-xs text-muted">
                all day
              </span>
              <ul
                aria-label="All day"
                className="relative border-l border-line"
                style={{ height: lanes * LANE_PX + 4 }}
              >
                {whole.map(({ event, firstDay, lastDay, lane, continuesBefore, continuesAfter }) => (
                  <li
                    key={keyOf(event)}
                    className="absolute px-0.5"
                    style={{
                      top: 2 + lane * LANE_PX,
                      left: `${(firstDay / days.length) * 100}%`,
                      width: `${((lastDay - firstDay + 1) / days.length) * 100}%`,
                    }}
                  >
                    <EventChip
                      {...chip(event)}
                      continuesBefore={continuesBefore}
                      continuesAfter={continuesAfter}
                      className="h-6"
                    />
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <div className="relative grid" style={columns}>
          <div aria-hidden="true" className="sticky left-0 z-[15] bg-surface">
            {hours.slice(1).map((hour) => (
              <span
                key={hour}
                className="absolute right-1.5 -translate-y-1/2 text-xs text-muted"
                style={{ top: hour * HOUR_PX }}
              >
                {hourLabel.format(hour * 3_600_000)}
              </span>
            ))}
          </div>
          {days.map((day) => (
            <DayColumn
              key={day}
              day={day}
              isToday={day === today}
              spans={spans}
              chip={chip}
              onCreate={onCreate}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function DayColumn({
  day,
  isToday,
  spans,
  chip,
  onCreate,
}: {
  day: Day;
  isToday: boolean;
  spans: Span<CalendarEvent>[];
  chip(event: CalendarEvent): { event: CalendarEvent; hue: number; onEdit(event: CalendarEvent): void };
  onCreate: ViewProps['onCreate'];
}) {
  // For the mouse. By keyboard, `n` or the button creates an event.
  const createHere = (click: MouseEvent<HTMLUListElement>) => {
    if (click.target !== click.currentTarget) return;
    const hour = Math.floor((click.nativeEvent.offsetY / HOUR_PX) * 2) / 2;
    onCreate({ day, minute: Math.min(hour * 60, DAY_MINUTES - 60) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: `n` or the button do the same by keyboard
    <ul
      aria-label={dayInFull.format(msOf(day))}
      onClick={createHere}
      className="relative border-l border-line bg-[linear-gradient(to_bottom,var(--color-line)_1px,transparent_1px)] bg-[length:100%_48px]"
      style={{ height: 24 * HOUR_PX }}
    >
      {layoutDay(spans, day).map(({ event, from, until, column, columns }) => (
        <li
          key={keyOf(event)}
          className="absolute p-px"
          style={{
            top: (from / 60) * HOUR_PX,
            height: ((until - from) / 60) * HOUR_PX,
            left: `${(column / columns) * 100}%`,
            width: `${100 / columns}%`,
          }}
        >
          <EventChip {...chip(event)} isTall={until - from >= 45} hasTime className="h-full" />
        </li>
      ))}
      {isToday && <NowLine day={day} />}
    </ul>
  );
}

function NowLine({ day }: { day: Day }) {
  const { timezone } = useAccount().user;
  const minute = useSyncExternalStore(followMinutes, currentMinute);
  const now = wallClockMs(minute, timezone) - msOf(day);
  if (now < 0 || now >= DAY_MS) return null;
  return (
    <li
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 z-10 border-t-2 border-danger"
      style={{ top: (now / 3_600_000) * HOUR_PX }}
    />
  );
}
