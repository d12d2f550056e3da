import { useSyncExternalStore } from 'react';
import { useTimeZone } from '../../session/account.ts';
import { currentMinute, followMinutes } from './current-minute.ts';
import { formatClock, formatInFull, formatMoment } from './time.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A time (`Today 14:05`, `21 Nov 14:05`) in the account's time zone, with the full date in its title. */
export function Timestamp({ at, className }: { at: string; className?: string }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const zone = useTimeZone();
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatInFull(moment, zone)} {...(className && { className })}>
      {formatMoment(moment, new Date(now), zone)}
    </time>
  );
}

/** How long something has waited (`5 min`, `3 h`, `2 d`), with the start in its title. */
export function WaitingTime({ since, className }: { since: string; className?: string }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const zone = useTimeZone();
  const moment = new Date(since);
  return (
    <time dateTime={since} title={`Since ${formatInFull(moment, zone)}`} {...(className && { className })}>
      <span className="sr-only">Waiting </span>
      {duration(now - moment.getTime())}
    </time>
  );
}

/** The time of day, for lists that show the day separately. */
export function TimeOfDay({ at, className }: { at: string; className?: string }) {
  const zone = useTimeZone();
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatInFull(moment, zone)} {...(className && { className })}>
      {formatClock(moment, zone)}
    </time>
  );
}

/** Returns a time span (`5 min`, `3 h`, `2 d`). */
export function duration(age: number): string {
  if (age < MINUTE) return 'now';
  if (age < 60 * MINUTE) return `${Math.floor(age / MINUTE)} min`;
  return age < DAY ? `${Math.floor(age / (60 * MINUTE))} h` : `${Math.floor(age / DAY)} d`;
}
