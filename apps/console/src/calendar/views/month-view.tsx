// biome-ignore-all lint/a11y/useSemanticElements: a table cannot lay out hours and days
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on what the cells contain
import { Link } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useAccount } from '../../session/account.ts';
import { classNames } from '../../ui/class-names.ts';
import { currentMinute } from '../../ui/time/current-minute.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { keyOf } from '../calendars/calendars.ts';
import { newEventOn } from '../event/event-form.ts';
import type { ShownEvent } from '../event/unsaved-events.ts';
import { wallClockMs } from '../wall-clock.ts';
import { type Day, msOf } from './days.ts';
import { EventChip } from './event-chip.tsx';
import { type LanePiece, layoutLanes, type Span } from './layout.ts';
import { useGridFocus } from './use-grid-focus.ts';
import type { ViewProps } from './week-view.tsx';

const HEAD_PX = 26;
/** The height of a target of 24 px and its gap. */
const LINE_PX = 25;
/** The fewest lines of events in a day, the last of which may count those that have no place. */
const MIN_LINES = 2;

const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const dayInFull = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

/** The month view: six weeks around a month. */
export function MonthView({ days, day, today, spans, byId, onEdit, onCreate, onLeave }: ViewProps) {
  const grid = useRef<HTMLDivElement>(null);
  const focus = useGridFocus(grid, onLeave);
  const lines = useLines(grid);
  const weeks = Array.from({ length: 6 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Month"
      tabIndex={-1}
      {...focus}
      className="flex h-full min-h-[42rem] flex-col outline-none max-md:min-w-[40rem]"
    >
      <div aria-hidden="true" className="grid grid-cols-7 border-b border-line bg-surface">
        {weeks[0]!.map((each) => (
          <span key={each} className="border-l border-line px-2 py-1 text-xs text-muted first:border-l-0">
            {weekday.format(msOf(each))}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <Week
          key={week[0]}
          days={week}
          month={day.slice(0, 7)}
          lines={lines}
          today={today}
          spans={spans}
          byId={byId}
          onEdit={onEdit}
          onCreate={onCreate}
        />
      ))}
    </div>
  );
}

/** Returns how many lines of events a day has place for. */
function useLines(grid: RefObject<HTMLElement | null>): number {
  const [lines, setLines] = useState(MIN_LINES);
  useLayoutEffect(() => {
    const week = grid.current?.querySelector('[role=row]');
    if (!week) return;
    const measure = () => setLines(Math.max(MIN_LINES, Math.floor((week.clientHeight - HEAD_PX) / LINE_PX)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(week);
    return () => observer.disconnect();
  }, [grid]);
  return lines;
}

function Week({
  days,
  month,
  lines,
  today,
  spans,
  byId,
  onEdit,
  onCreate,
}: Pick<ViewProps, 'days' | 'today' | 'byId' | 'onEdit' | 'onCreate'> & {
  month: string;
  lines: number;
  spans: Span<ShownEvent>[];
}) {
  const pieces = layoutLanes(spans, days[0]!, 7);
  // Without a place for all, the last line counts the others.
  const lanes = pieces.every(({ lane }) => lane < lines) ? lines : lines - 1;
  return (
    <div
      role="row"
      aria-label={`Week of ${dayInFull.format(msOf(days[0]!))}`}
      className="relative grid min-h-0 flex-1 grid-cols-7 border-b border-line"
    >
      {days.map((day, at) => (
        <DayCell
          key={day}
          day={day}
          isToday={day === today}
          isOutside={!day.startsWith(month)}
          onCreate={onCreate}
          hiddenCount={
            pieces.filter((piece) => piece.lane >= lanes && piece.firstDay <= at && piece.lastDay >= at)
              .length
          }
          top={HEAD_PX + lanes * LINE_PX}
        />
      ))}
      <div
        role="gridcell"
        aria-colspan={7}
        className="pointer-events-none absolute inset-x-0"
        style={{ top: HEAD_PX }}
      >
        <ul>
          {pieces
            .filter(({ lane }) => lane < lanes)
            .map((piece) => (
              <MonthEvent key={keyOf(piece.event)} piece={piece} byId={byId} onEdit={onEdit} />
            ))}
        </ul>
      </div>
    </div>
  );
}

function DayCell({
  day,
  isToday,
  isOutside,
  hiddenCount,
  top,
  onCreate,
}: {
  day: Day;
  isToday: boolean;
  isOutside: boolean;
  hiddenCount: number;
  /** Of the line below the events. */
  top: number;
} & Pick<ViewProps, 'onCreate'>) {
  const { timezone } = useAccount().user;
  // For the mouse. By keyboard, `n` or the button creates an event.
  const createHere = (click: MouseEvent) => {
    if (!(click.target as Element).closest('a'))
      onCreate(newEventOn(day, wallClockMs(currentMinute(), timezone)));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: `n` or the button do the same by keyboard
    <div
      role="gridcell"
      onClick={createHere}
      className={classNames(
        'relative border-l border-line first:border-l-0',
        isOutside ? 'bg-canvas' : 'bg-surface',
      )}
    >
      <Link
        data-grid-item=""
        to="/calendar"
        search={{ view: 'week', day }}
        aria-label={`${dayInFull.format(msOf(day))}${isToday ? ', today' : ''}, show week`}
        className={classNames(
          'ml-0.5 mt-px inline-flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
          isToday
            ? 'bg-accent-solid font-semibold text-on-accent forced-colors:outline'
            : 'text-muted hover:bg-hover',
        )}
      >
        {Number(day.slice(8))}
      </Link>
      {hiddenCount > 0 && (
        <Link
          data-grid-item=""
          to="/calendar"
          search={{ view: 'week', day }}
          style={{ top }}
          className="absolute left-0.5 inline-flex h-6 items-center rounded px-1.5 text-xs font-medium text-muted tabular-nums hover:bg-hover hover:text-text"
        >
          +{hiddenCount}
          <span className="sr-only"> more on {dayInFull.format(msOf(day))}</span>
        </Link>
      )}
    </div>
  );
}

function MonthEvent({
  piece: { event, firstDay, lastDay, lane, continuesBefore, continuesAfter },
  byId,
  onEdit,
}: {
  piece: LanePiece<ShownEvent>;
} & Pick<ViewProps, 'byId' | 'onEdit'>) {
  return (
    <li
      className="pointer-events-auto absolute px-0.5"
      style={{
        top: lane * LINE_PX,
        left: `${(firstDay / 7) * 100}%`,
        width: `${((lastDay - firstDay + 1) / 7) * 100}%`,
      }}
    >
      <EventChip
        event={event}
        hue={byId.get(event.calendar_id)?.hue ?? 0}
        onEdit={onEdit}
        hasTime={!event.all_day}
        continuesBefore={continuesBefore}
        continuesAfter={continuesAfter}
        className="h-6"
      />
    </li>
  );
}
