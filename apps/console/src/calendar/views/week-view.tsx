// biome-ignore-all lint/a11y/useSemanticElements: a table cannot lay out hours and days
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on what the cells contain
import type { CalendarEvent } from '@firmdesk/contract';
import { type MouseEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useAccount } from '../../session/account.ts';
import { classNames } from '../../ui/class-names.ts';
import { currentMinute, followMinutes } from '../../ui/time/current-minute.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { keyOf } from '../calendars/calendars.ts';
import type { ShownEvent } from '../event/unsaved-events.ts';
import { wallClockMs } from '../wall-clock.ts';
import { DAY_MS, type Day, dayOf, msOf } from './days.ts';
import type { DraggedTime } from './drag.ts';
import { EventChip } from './event-chip.tsx';
import { DAY_MINUTES, layoutDay, layoutLanes, type Span } from './layout.ts';
import { type EventDrag, useEventDrag } from './use-event-drag.ts';
import { useGridFocus } from './use-grid-focus.ts';

const HOUR_PX = 48;
const FIRST_VISIBLE_HOUR = 7;
const LANE_PX = 26;
const MINUTE_MS = 60_000;
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
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });
const hourLabel = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

export interface ViewProps {
  days: Day[];
  day: Day;
  today: Day;
  spans: Span<ShownEvent>[];
  byId: Map<number, { hue: number }>;
  onEdit(event: CalendarEvent): void;
  onCreate(at: { day: Day; minute: number; minutes?: number }): void;
  /** Called with the new times of an event that was dragged, as wall-clock times. */
  onMove(event: ShownEvent, to: DraggedTime): void;
  mayCreate: boolean;
  /** The times of the new event that is being typed at its place in the calendar. */
  placed: DraggedTime | null;
  /** Shows the days before or after. */
  onLeave(by: 1 | -1): void;
}

/** The hours of a day or of seven days, with whole-day events above them. */
export function WeekView({
  days,
  today,
  spans,
  byId,
  onEdit,
  onCreate,
  onMove,
  mayCreate,
  placed,
  onLeave,
}: ViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
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
  const focus = useGridFocus(scroller, onLeave);
  const body = useRef<HTMLDivElement>(null);
  const { drag, onPointerDown } = useEventDrag(body, {
    find: (key) => spans.find(({ event }) => keyOf(event) === key),
    mayCreate,
    onDrop({ event, start, end }) {
      if (event) onMove(event, { start, end });
      else {
        const day = dayOf(start);
        onCreate({ day, minute: (start - msOf(day)) / MINUTE_MS, minutes: (end - start) / MINUTE_MS });
      }
    },
  });
  const columns = { gridTemplateColumns: `3.5rem repeat(${days.length}, minmax(0, 1fr))` };
  const chip = (event: ShownEvent) => ({ event, hue: byId.get(event.calendar_id)?.hue ?? 0, onEdit });
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={days.length === 1 ? 'Day' : 'Week'}
      tabIndex={0}
      {...focus}
      className="h-full min-w-0 overflow-auto bg-surface outline-offset-[-2px]"
    >
      <div className={days.length > 1 ? 'max-md:min-w-[46rem]' : undefined}>
        <div className="sticky top-0 z-20 border-b border-line bg-surface">
          <div role="row" className="grid" style={columns}>
            <span role="presentation" className="sticky left-0 z-10 bg-surface" />
            {days.map((day) => (
              <div
                key={day}
                role="columnheader"
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
              </div>
            ))}
          </div>
          {lanes > 0 && (
            <div role="row" className="grid grid-cols-[3.5rem_1fr] border-t border-line">
              <span
                role="rowheader"
                className="sticky left-0 z-10 bg-surface px-1.5 py-1 text-right text-xs text-muted"
              >
                all day
              </span>
              <div role="gridcell" aria-colspan={days.length}>
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
            </div>
          )}
        </div>
        <div
          ref={body}
          role="row"
          onPointerDown={onPointerDown}
          className="relative grid select-none"
          style={columns}
        >
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
              drag={drag ?? (placed && { event: null, ...placed })}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function DayColumn({
  day,
  isToday,
  spans,
  chip,
  onCreate,
  drag,
}: {
  day: Day;
  isToday: boolean;
  spans: Span<ShownEvent>[];
  chip(event: ShownEvent): { event: ShownEvent; hue: number; onEdit(event: CalendarEvent): void };
  onCreate: ViewProps['onCreate'];
  drag: EventDrag | null;
}) {
  // For the mouse. By keyboard, `n` or the button creates an event.
  const createHere = (click: MouseEvent<HTMLUListElement>) => {
    if (click.target !== click.currentTarget) return;
    const hour = Math.floor((click.nativeEvent.offsetY / HOUR_PX) * 2) / 2;
    onCreate({ day, minute: Math.min(hour * 60, DAY_MINUTES - 60) });
  };
  return (
    <div role="gridcell">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: `n` or the button do the same by keyboard */}
      <ul
        aria-label={dayInFull.format(msOf(day))}
        data-day={day}
        onClick={createHere}
        className="relative border-l border-line bg-[linear-gradient(to_bottom,var(--color-line)_1px,transparent_1px)] bg-[length:100%_48px]"
        style={{ height: 24 * HOUR_PX }}
      >
        {layoutDay(spans, day).map(({ event, from, until, column, columns }) => (
          <li
            key={keyOf(event)}
            data-event={keyOf(event)}
            className="absolute p-px"
            style={{
              ...placeOf(from, until),
              left: `${(column / columns) * 100}%`,
              width: `${100 / columns}%`,
            }}
          >
            <EventChip
              {...chip(event)}
              isTall={until - from >= 45}
              hasTime
              className={classNames('h-full', drag?.event === event && 'opacity-50')}
            />
            {event.can_write && <span className="absolute inset-x-1 bottom-0 h-1.5 cursor-ns-resize" />}
          </li>
        ))}
        {drag && <DraggedEvent drag={drag} day={day} />}
        {isToday && <NowLine day={day} />}
      </ul>
    </div>
  );
}

/** Where the event that is being dragged will be. */
function DraggedEvent({ drag: { event, start, end }, day }: { drag: EventDrag; day: Day }) {
  const [from, until] = [start, end].map((time) =>
    Math.min(DAY_MINUTES, Math.max(0, (time - msOf(day)) / MINUTE_MS)),
  ) as [number, number];
  if (!(from < until)) return null;
  return (
    <li
      aria-hidden="true"
      {...(!event && { 'data-new-event': '' })}
      className="pointer-events-none absolute inset-x-px z-10 overflow-hidden rounded border border-accent bg-selected/90 px-1.5 text-xs text-text"
      style={placeOf(from, until)}
    >
      <span className="block truncate font-medium">{event?.title ?? 'New event'}</span>
      {timeOfDay.formatRange(start, end)}
    </li>
  );
}

function placeOf(from: number, until: number) {
  return { top: (from / 60) * HOUR_PX, height: ((until - from) / 60) * HOUR_PX };
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
