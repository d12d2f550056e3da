import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, LoaderCircle, Plus, Search } from 'lucide-react';
import { useAccount } from '../session/account.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { LOCALE } from '../ui/time/time.ts';
import { timeZoneLabel } from './event/event-format.ts';
import { type CalendarView, calendarViews, type Day, dayAfter, msOf, stepNames } from './views/days.ts';

const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const step =
  'inline-flex size-8 items-center justify-center rounded-md border border-line bg-surface text-muted hover:bg-hover hover:text-text';

/** The toolbar of the calendar: date navigation, view and new event. */
export function CalendarBar({
  view,
  day,
  days,
  today,
  isLoading,
  onFind,
  onNew,
}: {
  view: CalendarView;
  day: Day;
  days: Day[];
  today: Day;
  isLoading: boolean;
  onFind(): void;
  onNew?: () => void;
}) {
  const { timezone } = useAccount().user;
  const moved = (by: 1 | -1) => dayAfter(view, day, by);
  const title =
    view === 'month' ? monthName.format(msOf(day)) : dayName.formatRange(msOf(days[0]!), msOf(days.at(-1)!));
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <h1 className="sr-only">Calendar</h1>
      <Link
        to="/calendar"
        search={{ view, day: today }}
        className="inline-flex h-8 items-center rounded-md border border-line bg-surface px-3 font-medium hover:bg-hover"
      >
        Today
      </Link>
      <div className="flex gap-1">
        <Link
          to="/calendar"
          search={{ view, day: moved(-1) }}
          aria-label={`Previous ${stepNames[view]}`}
          className={step}
        >
          <ChevronLeft size={16} aria-hidden="true" />
        </Link>
        <Link
          to="/calendar"
          search={{ view, day: moved(1) }}
          aria-label={`Next ${stepNames[view]}`}
          className={step}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      </div>
      <h2 aria-live="polite" className="text-base font-semibold">
        {title}
      </h2>
      {isLoading && <LoaderCircle size={15} aria-label="Loading" className="animate-spin text-muted" />}
      <span className="ml-auto text-xs text-muted max-sm:hidden">{timeZoneLabel(timezone)}</span>
      <IconButton icon={Search} label="Find events" keys="/" className="max-sm:ml-auto" onClick={onFind} />
      <nav aria-label="View" className="flex overflow-hidden rounded-md border border-line">
        {calendarViews.map((each) => (
          <Link
            key={each}
            to="/calendar"
            search={{ view: each, day }}
            aria-current={each === view ? 'page' : undefined}
            className="inline-flex h-8 items-center bg-surface px-3 text-muted capitalize outline-offset-[-2px] hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {each}
          </Link>
        ))}
      </nav>
      {onNew && (
        <Button variant="solid" onClick={onNew}>
          <Plus size={15} aria-hidden="true" />
          <span className="max-sm:sr-only">New event</span>
        </Button>
      )}
    </header>
  );
}
