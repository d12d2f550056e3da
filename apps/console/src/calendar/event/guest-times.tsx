import { type BusyPerson, MAX_BUSY_PEOPLE } from '@firmdesk/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { addDays, DAY_MS, type Day, dayOf, isDay } from '../views/days.ts';
import { instantOf, wallClockMs } from '../wall-clock.ts';
import { type EventValues, timesOf } from './event-form.ts';
import type { Guest } from './guests-field.tsx';

const MINUTE_MS = 60_000;
/** The shortest and the longest event for which times are proposed, in minutes. */
const PROPOSED_MINUTES = { min: 5, max: 480 };
/** The hours of the day that the bars show. */
const FIRST_HOUR = 7;
const LAST_HOUR = 20;

const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
});

interface PlannedTimes {
  values: EventValues;
  /** In which the times are. */
  zone: string;
  /** The event that is edited; null for a new one. */
  eventId: number | null;
  onChange(values: EventValues): void;
}

/** When the guests and the person are busy on the day of the event, and the next times at which all are free. */
export function GuestTimes({ values, zone, eventId, onChange }: PlannedTimes) {
  const { user } = useAccount();
  const { start, end } = timesOf(values);
  const guests = values.guests.filter(({ email }) => email.toLowerCase() !== user.email.toLowerCase());
  const compared = guests.slice(0, MAX_BUSY_PEOPLE - 1);
  const emails = [user.email, ...compared.map(({ email }) => email)];
  const day = values.start_day;
  const isTimed = !values.all_day && isDay(day) && start < end;
  const from = isTimed ? startOf(day, zone) : '';
  const until = isTimed ? startOf(addDays(day, 1), zone) : '';
  const people = { emails, except_event: eventId };
  const busy = useQuery(
    trpc.calendar.busyTimes.queryOptions(
      { ...people, from, until },
      { enabled: isTimed && guests.length > 0, placeholderData: keepPreviousData },
    ),
  );
  if (!isTimed || guests.length === 0 || !busy.data) return null;
  const nameOf = (email: string) => (email === user.email ? 'You' : nameOfGuest(guests, email));
  return (
    <section aria-label="Times of the guests" className="rounded-lg border border-line p-3">
      <ul aria-label="When they are busy" className="space-y-1.5">
        {busy.data.data.map((person) => (
          <PersonTimes
            key={person.email}
            name={nameOf(person.email)}
            person={person}
            day={day}
            zone={zone}
            planned={{ start, end }}
          />
        ))}
      </ul>
      {compared.length < guests.length && (
        <p className="mt-2 text-muted">Only the first {compared.length} guests are compared.</p>
      )}
      <ProposedTimes
        people={people}
        from={from}
        minutes={Math.round((end - start) / MINUTE_MS)}
        zone={zone}
        onChoose={(chosen) => onChange({ ...values, ...chosen })}
      />
    </section>
  );
}

function nameOfGuest(guests: readonly Guest[], email: string): string {
  return guests.find((guest) => guest.email === email)?.name ?? email;
}

function startOf(day: Day, zone: string): string {
  return new Date(instantOf(day, zone)).toISOString();
}

function PersonTimes({
  name,
  person,
  day,
  zone,
  planned,
}: {
  name: string;
  person: BusyPerson;
  day: Day;
  zone: string;
  planned: { start: number; end: number };
}) {
  const busy = person.busy.map(({ starts_at, ends_at, title }) => ({
    start: wallClockMs(starts_at, zone),
    end: wallClockMs(ends_at, zone),
    title,
  }));
  const inTheWay = busy.filter(({ start, end }) => start < planned.end && end > planned.start);
  const words = !person.is_known
    ? 'Not known'
    : inTheWay.length === 0
      ? 'Free'
      : inTheWay
          .map(({ start, end, title }) => `${title ?? 'Busy'} ${timeOfDay.formatRange(start, end)}`)
          .join(', ');
  return (
    <li className="grid grid-cols-[7rem_1fr] items-center gap-x-3 gap-y-0.5 sm:grid-cols-[8rem_1fr_9rem]">
      <span className="truncate" title={person.email}>
        {name}
      </span>
      <Bar busy={busy} planned={planned} day={day} isKnown={person.is_known} />
      <span
        className={classNames(
          'truncate text-xs max-sm:col-start-2',
          inTheWay.length > 0 ? 'font-medium text-danger' : 'text-muted',
        )}
        title={words}
      >
        {words}
      </span>
    </li>
  );
}

/** The day as a bar, for the eye: the words beside it say the same. */
function Bar({
  busy,
  planned,
  day,
  isKnown,
}: {
  busy: readonly { start: number; end: number; title: string | null }[];
  planned: { start: number; end: number };
  day: Day;
  isKnown: boolean;
}) {
  const opens = Date.parse(`${day}T00:00:00Z`) + (FIRST_HOUR / 24) * DAY_MS;
  const length = ((LAST_HOUR - FIRST_HOUR) / 24) * DAY_MS;
  const place = ({ start, end }: { start: number; end: number }) => {
    const share = (time: number) => Math.min(1, Math.max(0, (time - opens) / length)) * 100;
    return { left: `${share(start)}%`, width: `${share(end) - share(start)}%` };
  };
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'relative h-5 overflow-hidden rounded border border-line',
        isKnown ? 'bg-surface' : 'bg-canvas',
      )}
    >
      {busy.map((each) => (
        <span
          key={`${each.start} ${each.end} ${each.title}`}
          title={`${each.title ?? 'Busy'} ${timeOfDay.formatRange(each.start, each.end)}`}
          className="absolute inset-y-0 bg-muted/60 forced-colors:bg-[CanvasText]"
          style={place(each)}
        />
      ))}
      <span
        className="absolute inset-y-0 border-x-2 border-accent forced-colors:border-[Highlight]"
        style={place(planned)}
      />
    </span>
  );
}

type Chosen = Pick<EventValues, 'start_day' | 'start_time' | 'end_day' | 'end_time'>;

function ProposedTimes({
  people,
  from,
  minutes,
  zone,
  onChoose,
}: {
  people: { emails: string[]; except_event: number | null };
  from: string;
  minutes: number;
  zone: string;
  onChoose(times: Chosen): void;
}) {
  const isPossible = minutes >= PROPOSED_MINUTES.min && minutes <= PROPOSED_MINUTES.max;
  const { data } = useQuery(
    trpc.calendar.proposeTimes.queryOptions(
      { ...people, from, minutes, timezone: zone },
      { enabled: isPossible, placeholderData: keepPreviousData },
    ),
  );
  if (!isPossible || !data) return null;
  return (
    <div className="mt-3">
      <p className="font-medium">Next times when all are free</p>
      {data.data.length === 0 ? (
        <p className="text-muted">None in business hours of the next 31 days.</p>
      ) : (
        <ul aria-label="Next times when all are free" className="mt-1 flex flex-wrap gap-1.5">
          {data.data.map(({ starts_at, ends_at }) => {
            const [start, end] = [wallClockMs(starts_at, zone), wallClockMs(ends_at, zone)];
            const clock = (wall: number) => new Date(wall).toISOString().slice(11, 16);
            return (
              <li key={starts_at}>
                <Button
                  onClick={() =>
                    onChoose({
                      start_day: dayOf(start),
                      start_time: clock(start),
                      end_day: dayOf(end),
                      end_time: clock(end),
                    })
                  }
                >
                  {moment.format(start)}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {data.meta.unknown.length > 0 && (
        <p className="mt-1 text-xs text-muted">
          Of {data.meta.unknown.length === 1 ? 'one guest' : `${data.meta.unknown.length} guests`} nothing is
          known.
        </p>
      )}
      {data.meta.truncated && (
        <p className="mt-1 text-xs text-muted">
          There are too many events to compare all. Somebody may be busy.
        </p>
      )}
    </div>
  );
}
