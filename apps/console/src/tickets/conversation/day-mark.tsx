import { useSyncExternalStore } from 'react';
import { useTimeZone } from '../../session/account.ts';
import { currentMinute, followMinutes } from '../../ui/time/current-minute.ts';
import { formatDay } from '../../ui/time/time.ts';

/** A separator that shows the date of the messages below it. */
export function DayMark({ at }: { at: string }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const zone = useTimeZone();
  return (
    <li className="flex items-center gap-3 py-1.5 text-xs font-medium text-muted">
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <time dateTime={at}>{formatDay(new Date(at), new Date(now), zone)}</time>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </li>
  );
}
