import { useSyncExternalStore } from 'react';
import { currentMinute, followMinutes } from './current-minute.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** A short form of a time (`5 min`, `14:05`, `3 Nov`), with the full date in its title. */
export function Timestamp({ at, className }: { at: string; className?: string }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={full.format(moment)} {...(className && { className })}>
      {format(moment, now)}
    </time>
  );
}

/** How long something has waited (`5 min`, `3 h`, `2 d`), with the start in its title. */
export function WaitingTime({ since, className }: { since: string; className?: string }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const moment = new Date(since);
  return (
    <time dateTime={since} title={`Since ${full.format(moment)}`} {...(className && { className })}>
      <span className="sr-only">Waiting </span>
      {duration(now - moment.getTime())}
    </time>
  );
}

/** The time of day, for lists that show the day separately. */
export function TimeOfDay({ at, className }: { at: string; className?: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={full.format(moment)} {...(className && { className })}>
      {clock.format(moment)}
    </time>
  );
}

function format(moment: Date, now: number): string {
  const age = now - moment.getTime();
  if (Math.abs(age) < MINUTE) return 'now';
  if (age > 0 && age < 60 * MINUTE) return `${Math.floor(age / MINUTE)} min`;
  if (Math.abs(age) < DAY && new Date(now).toDateString() === moment.toDateString())
    return clock.format(moment);
  return (new Date(now).getFullYear() === moment.getFullYear() ? day : dayOfYear).format(moment);
}

function duration(age: number): string {
  if (age < MINUTE) return 'now';
  if (age < 60 * MINUTE) return `${Math.floor(age / MINUTE)} min`;
  return age < DAY ? `${Math.floor(age / (60 * MINUTE))} h` : `${Math.floor(age / DAY)} d`;
}
