import './calendar.css';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { useAccount } from '../session/account.ts';
import { usePageTitle } from '../ui/page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { currentMinute, followMinutes } from '../ui/time/current-minute.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { CalendarPicker } from './calendars/calendar-picker.tsx';
import { isNotPermitted, isWritable, keyOf, useCalendars, useSpans } from './calendars/calendars.ts';
import { useLiveCalendars } from './calendars/use-live-calendars.ts';
import { moveEvent } from './event/event-changes.ts';
import { EventDialog, type EventDraft } from './event/event-dialog.tsx';
import {
  type EventValues,
  movedTo,
  type NewEvent,
  newEventOn,
  shifted,
  timesOf,
  valuesOf,
} from './event/event-form.ts';
import { QuickCreate } from './event/quick-create.tsx';
import type { ShownEvent } from './event/unsaved-events.ts';
import { FindEvents } from './find-events.tsx';
import { AgendaView } from './views/agenda-view.tsx';
import {
  type CalendarView,
  calendarViews,
  type Day,
  dayAfter,
  dayOf,
  daysOfView,
  isDay,
  stepNames,
} from './views/days.ts';
import type { DraggedTime } from './views/drag.ts';
import { MonthView } from './views/month-view.tsx';
import { firstDayOfWeek } from './views/week-info.ts';
import { WeekView } from './views/week-view.tsx';
import { wallClockMs } from './wall-clock.ts';

const route = getRouteApi('/firm/calendar');

/** On a phone the calendar opens with one day. */
const isNarrow = matchMedia('(width < 48rem)');

/** The key of the values of a new event. */
const NEW = 'new';

/** The events of a day, a week, a month or four weeks as a list, in the account's time zone. */
export function CalendarPage() {
  usePageTitle('Calendar');
  useLiveCalendars();
  const { timezone } = useAccount().user;
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/calendar' });
  const today = useSyncExternalStore(followMinutes, () => dayOf(wallClockMs(currentMinute(), timezone)));
  // The router keeps what a link has, also if it is no view and no day.
  const view = calendarViews.find((each) => each === search.view) ?? (isNarrow.matches ? 'day' : 'week');
  const day = isDay(search.day) ? search.day : today;
  const days = daysOfView(view, day, firstDayOfWeek);
  const { query: calendarsLoad, calendars, byId } = useCalendars();
  const { query, spans, isTruncated } = useSpans(days[0]!, days.length);
  const isGone =
    search.event !== undefined &&
    query.isSuccess &&
    !query.isPlaceholderData &&
    query.data.data.every(({ id }) => id !== search.event);
  const [draft, setDraft] = useState<EventDraft | null>(null);
  const [isFinding, setFinding] = useState(false);
  // What was typed is kept until it is saved or cancelled, also if the dialog is closed.
  const [typed, setTyped] = useState<Record<string, EventValues>>({});
  const key = draft && 'event' in draft ? keyOf(draft.event) : NEW;
  const forget = () => setTyped(({ [key]: _forgotten, ...others }) => others);
  const values = draft && (typed[key] ?? valuesOf(draft));
  // A new event is begun small, at its place in the calendar.
  const [isQuick, setQuick] = useState(false);
  const point = useRef({ x: 0, y: 0 });
  const create = (at: NewEvent) => {
    setTyped((now) => (now[NEW] ? { ...now, [NEW]: movedTo(now[NEW], at) } : now));
    setQuick(true);
    setDraft(at);
  };
  const begin = () => setDraft(newEventOn(day, wallClockMs(currentMinute(), timezone)));
  const close = () => {
    setDraft(null);
    setQuick(false);
  };
  const onChange = (values: EventValues) => setTyped((now) => ({ ...now, [key]: values }));
  const onSaved = (saved: EventValues) =>
    // What was typed since is not saved.
    setTyped(({ [key]: kept, ...others }) => (kept && kept !== saved ? { ...others, [key]: kept } : others));
  const move = (event: ShownEvent, to: DraggedTime) => {
    const by = (at: string, wall: number) => wall - wallClockMs(at, timezone);
    const values = shifted(valuesOf({ event }), by(event.starts_at, to.start), by(event.ends_at, to.end));
    if (!event.is_recurring) return moveEvent(event, values);
    // The form asks for which occurrences.
    setTyped((now) => ({ ...now, [keyOf(event)]: values }));
    setDraft({ event });
  };
  const writable = calendars.filter(isWritable);
  const canWrite = writable.length > 0;
  const [chosenCalendar, setCalendar] = useState<number | null>(null);
  const calendarId = (writable.find(({ id }) => id === chosenCalendar) ?? writable[0])?.id ?? 0;
  // A click beside the details of an event closes them, and creates no event.
  const closesDetails = useRef(false);

  const shortcuts = useMemo<Shortcut[]>(() => {
    const group = 'Calendar';
    const show = (next: { view?: CalendarView; day?: Day }) =>
      void navigate({ search: { view, day, ...next } });
    const step = (by: 1 | -1) => show({ day: dayAfter(view, day, by) });
    const later = { label: `Next ${stepNames[view]}`, group, run: () => step(1) };
    const earlier = { label: `Previous ${stepNames[view]}`, group, run: () => step(-1) };
    return [
      { keys: 't', label: 'Today', group, run: () => show({ day: today }) },
      { keys: 'j', ...later },
      { keys: 'k', ...earlier },
      { keys: 'ArrowRight', ...later },
      { keys: 'ArrowLeft', ...earlier },
      { keys: '/', label: 'Find events', group, movesFocus: true, run: () => setFinding(true) },
      { keys: 'd', label: 'Day', group, run: () => show({ view: 'day' }) },
      { keys: 'w', label: 'Week', group, run: () => show({ view: 'week' }) },
      { keys: 'm', label: 'Month', group, run: () => show({ view: 'month' }) },
      { keys: 'a', label: 'Agenda', group, run: () => show({ view: 'agenda' }) },
      ...(canWrite
        ? [
            {
              keys: 'n',
              label: 'New event',
              group,
              movesFocus: true,
              run: begin,
            },
          ]
        : []),
    ];
  }, [navigate, view, day, today, timezone, canWrite]);
  useShortcuts(shortcuts);

  if (calendarsLoad.isPending) return <LoadingRows label="Loading calendars" />;
  if (calendarsLoad.isError && !calendarsLoad.data) {
    return <ErrorState error={calendarsLoad.error} onRetry={() => void calendarsLoad.refetch()} />;
  }
  const View = view === 'month' ? MonthView : view === 'agenda' ? AgendaView : WeekView;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <CalendarBar
        view={view}
        day={day}
        days={days}
        today={today}
        isLoading={query.isFetching && !query.data}
        onFind={() => setFinding(true)}
        {...(canWrite && { onNew: begin })}
      />
      {isTruncated && (
        <p role="status" className="bg-warning-surface px-4 py-1.5 text-warning">
          Too many events. Only the first ones are shown.
        </p>
      )}
      {isGone && (
        <p role="status" className="bg-warning-surface px-4 py-1.5 text-warning">
          The event is no longer here. It was moved or deleted, or is no longer shared with you.
        </p>
      )}
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <CalendarPicker
          calendars={calendars}
          byId={byId}
          isCreating={search.create === true}
          onCreated={() =>
            void navigate({ search: ({ create: _created, ...others }) => others, replace: true })
          }
        />
        <div
          className="min-h-0 min-w-0 flex-1 overflow-auto"
          onPointerDownCapture={() => {
            closesDetails.current = document.querySelector('[data-event-details]') !== null;
          }}
          onPointerUpCapture={({ clientX, clientY }) => {
            point.current = { x: clientX, y: clientY };
          }}
        >
          {query.isError && !query.data && !isNotPermitted(query.error) ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <View
              days={days}
              day={day}
              today={today}
              spans={spans}
              byId={byId}
              onEdit={(event) => setDraft({ event })}
              onCreate={(at) => canWrite && !closesDetails.current && create(at)}
              onMove={move}
              placed={isQuick && values ? timesOf(values) : null}
              mayCreate={canWrite}
              onLeave={(by) => void navigate({ search: { view, day: dayAfter(view, day, by) } })}
            />
          )}
        </div>
      </div>
      {isFinding && <FindEvents onClose={() => setFinding(false)} />}
      {draft && values && isQuick && (
        <QuickCreate
          values={values}
          point={point.current}
          calendars={calendars}
          calendarId={calendarId}
          onCalendar={setCalendar}
          onChange={onChange}
          onMore={() => setQuick(false)}
          onClose={close}
          onSaved={onSaved}
        />
      )}
      {draft && values && !isQuick && (
        <EventDialog
          draft={draft}
          values={values}
          calendars={calendars}
          calendarId={calendarId}
          onCalendar={setCalendar}
          onChange={onChange}
          onClose={close}
          onCancel={() => {
            forget();
            close();
          }}
          onSaved={onSaved}
        />
      )}
    </div>
  );
}
