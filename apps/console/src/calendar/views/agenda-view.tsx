import { LOCALE } from '../../ui/time/time.ts';
import { keyOf } from '../calendars/calendars.ts';
import type { ShownEvent } from '../event/unsaved-events.ts';
import { DAY_MS, type Day, msOf } from './days.ts';
import { EventChip } from './event-chip.tsx';
import type { Span } from './layout.ts';
import type { ViewProps } from './week-view.tsx';

const dayName = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** The events as a list by day. Days without events are left out. */
export function AgendaView({ days, today, spans, byId, onEdit }: ViewProps) {
  const filled = days
    .map((day) => ({ day, spans: spansOf(day, spans) }))
    .filter((entry) => entry.spans.length > 0);
  if (filled.length === 0)
    return <p className="p-8 text-center text-muted">Nothing is planned in these four weeks.</p>;
  return (
    <ol aria-label="Agenda" className="mx-auto max-w-3xl divide-y divide-line px-4">
      {filled.map(({ day, spans }) => (
        <li key={day} className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[11rem_1fr]">
          <h3 className={day === today ? 'font-semibold text-accent' : 'font-medium'}>
            {dayName.format(msOf(day))}
          </h3>
          <ul aria-label={dayName.format(msOf(day))} className="space-y-1">
            {spans.map(({ event, start, isWholeDays }) => (
              <li key={keyOf(event)}>
                <EventChip
                  event={event}
                  hue={byId.get(event.calendar_id)?.hue ?? 0}
                  hasTime={!isWholeDays && start >= msOf(day)}
                  className="min-h-8 pointer-coarse:min-h-11"
                  onEdit={onEdit}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

/** Returns the events of a day: those of whole days first, then by their start. */
function spansOf(day: Day, spans: readonly Span<ShownEvent>[]): Span<ShownEvent>[] {
  const from = msOf(day);
  const isOn = ({ start, end }: Span<ShownEvent>) => start < from + DAY_MS && (end > from || start === from);
  return spans
    .filter(isOn)
    .sort((a, b) => Number(b.isWholeDays) - Number(a.isWholeDays) || a.start - b.start);
}
