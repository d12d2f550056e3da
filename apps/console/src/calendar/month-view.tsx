// biome-ignore-all lint/a11y/useSemanticElements: a table cannot lay out hours and days
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on what the cells contain
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useRef } from 'react';
import { classNames } from '../ui/class-names.ts';
import { LOCALE } from '../ui/time/time.ts';
import { keyOf } from './calendars.ts';
import { type Day, msOf } from './days.ts';
import { EventChip } from './event-chip.tsx';
import { NEW_EVENT_MINUTE } from './event-form.ts';
import { type LanePiece, layoutLanes, type Span } from './layout.ts';
import type { ShownEvent } from './unsaved-events.ts';
import { useGridFocus } from './use-grid-focus.ts';
import type { ViewProps } from './week-view.tsx';

/** The lanes of a week. Events in further lanes are only counted. */
const LANES = 3;
const HEAD_PX = 30;
const LANE_PX = 26;

const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const dayInFull = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

/** The month view: six weeks around a month. */
export function MonthView({ days, day, today, spans, byId, onEdit, onCreate, onLeave }: ViewProps) {
  const grid = useRef<HTMLDivElement>(null);
  const focus = useGridFocus(grid, onLeave);
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

function Week({
  days,
  month,
  today,
  spans,
  byId,
  onEdit,
  onCreate,
}: Pick<ViewProps, 'days' | 'today' | 'byId' | 'onEdit' | 'onCreate'> & {
  month: string;
  spans: Span<ShownEvent>[];
}) {
  const pieces = layoutLanes(spans, days[0]!, 7);
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
            pieces.filter((piece) => piece.lane >= LANES && piece.firstDay <= at && piece.lastDay >= at)
              .length
          }
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
            .filter(({ lane }) => lane < LANES)
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
  onCreate,
}: {
  day: Day;
  isToday: boolean;
  isOutside: boolean;
  hiddenCount: number;
} & Pick<ViewProps, 'onCreate'>) {
  // For the mouse. By keyboard, `n` or the button creates an event.
  const createHere = (click: MouseEvent) => {
    if (!(click.target as Element).closest('a')) onCreate({ day, minute: NEW_EVENT_MINUTE });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: `n` or the button do the same by keyboard
    <div
      role="gridcell"
      onClick={createHere}
      className={classNames('border-l border-line first:border-l-0', isOutside ? 'bg-canvas' : 'bg-surface')}
    >
      <div className="flex items-center justify-between pr-1">
        <Link
          data-grid-item=""
          to="/calendar"
          search={{ view: 'week', day }}
          aria-label={`${dayInFull.format(msOf(day))}${isToday ? ', today' : ''}, show week`}
          className={classNames(
            'm-0.5 inline-flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
            isToday ? 'bg-accent-solid font-semibold text-on-accent' : 'text-muted hover:bg-hover',
          )}
        >
          {Number(day.slice(8))}
        </Link>
        {hiddenCount > 0 && (
          <Link
            data-grid-item=""
            to="/calendar"
            search={{ view: 'week', day }}
            className="inline-flex min-h-6 items-center rounded px-1 text-xs text-muted hover:bg-hover hover:text-text"
          >
            {hiddenCount} more
            <span className="sr-only"> on {dayInFull.format(msOf(day))}</span>
          </Link>
        )}
      </div>
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
        top: lane * LANE_PX,
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
