import type { Ticket } from '@firmdesk/contract';
import { Timer, TimerOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTimeZone } from '../../session/account.ts';
import { Badge } from '../../ui/badge.tsx';
import { currentMinute, followMinutes } from '../../ui/time/current-minute.ts';
import { formatInFull } from '../../ui/time/time.ts';
import { duration } from '../../ui/time/timestamp.tsx';
import { type Due, nextDue } from './next-due.ts';

/** From this time before it is due, a ticket is marked. */
const SOON_MS = 30 * 60_000;

/** How much time is left for the next SLA target of a ticket, or for how long it has been overdue; in a row only the time. */
export function DueClock({ ticket, size }: { ticket: Ticket; size: 'short' | 'full' }) {
  const due = nextDue(ticket);
  return due && <Clock due={due} isFull={size === 'full'} />;
}

function Clock({ due: { target, at }, isFull }: { due: Due; isFull: boolean }) {
  const now = useSyncExternalStore(followMinutes, currentMinute);
  const zone = useTimeZone();
  const left = Date.parse(at) - now;
  const name = target === 'resolution' ? 'Resolution' : 'First response';
  const Icon = left <= 0 ? TimerOff : Timer;
  const time = duration(Math.max(Math.abs(left), 60_000));
  const sentence = left <= 0 ? `overdue by ${time}` : `due in ${time}`;
  return (
    <time
      dateTime={at}
      title={`${name} due ${formatInFull(new Date(at), zone)}`}
      className={isFull ? 'flex shrink-0 px-1.5' : 'flex shrink-0'}
    >
      <Badge tone={left <= 0 ? 'danger' : left < SOON_MS ? 'warning' : 'neutral'}>
        <Icon size={13} aria-hidden="true" />
        {isFull ? (
          `${name} ${sentence}`
        ) : (
          <>
            <span className="sr-only">
              {name} {sentence}
            </span>
            <span aria-hidden="true">{time}</span>
          </>
        )}
      </Badge>
    </time>
  );
}
